import Swidux

/// Renamed tags: queries that name one of them get the new name.
///
/// A name that means the same tag as before stays as it was typed. A name that would mean another
/// tag, or several, is replaced by the full name of the tag that it meant.
public struct TagRenaming {
    private let former: [Tag]
    private let latter: [Tag]
    private let merged: [Tag.ID: Tag.ID]
    /// The folded forms of the names that tags have lost or got. Other names cannot have changed
    /// their meaning, and comparing them with all tags would be slow.
    private let changed: Set<String>

    /// - Parameters:
    ///   - former: all tags of the list as they were.
    ///   - latter: all tags as they are. Names of tags that are gone stay as they were typed.
    ///   - merged: the tags that stand for some that are gone.
    public init(from former: [Tag], to latter: [Tag], merged: [Tag.ID: Tag.ID] = [:]) {
        self.former = former
        self.latter = latter
        self.merged = merged
        let names = Dictionary(former.map { ($0.id, $0.name) }) { $1 }
        let newNames = Dictionary(latter.map { ($0.id, $0.name) }) { $1 }
        changed = Set(
            former.filter { newNames[$0.id] != $0.name }.map { Self.key(of: $0.name) }
                + latter.filter { names[$0.id] != $0.name }.map { Self.key(of: $0.name) })
    }

    /// A name without sigils, case and accents.
    private static func key(of name: String) -> String {
        FoldedText.text(of: String(name.unicodeScalars.drop { "#+@".unicodeScalars.contains($0) }))
            .trimmed
    }

    /// Returns the view with the new names in its query, and with the tag that stands for its
    /// chosen one.
    public func view(_ view: SavedView) -> SavedView {
        var view = view.replacingTag(merged)
        view.query = query(view.query)
        return view
    }

    /// The changes of those of `views` that ask for tags by other names, or choose other tags, from
    /// then on. O(views).
    package func changes(in views: some Sequence<SavedView>) -> EntityChanges<SavedView> {
        var changes = EntityChanges<SavedView>()
        for view in views {
            let renamed = self.view(view)
            if renamed != view { changes.replace(view, with: renamed) }
        }
        return changes
    }

    /// Why the tags cannot have the new names: the first of `views` whose query would get too long,
    /// or have too many parts. Nil if they can. O(queries), and as ``query(_:)`` for each name that
    /// may be meant.
    public func obstacle(in views: some Sequence<SavedView>) -> String? {
        for view in views {
            guard let renamed = renamed(view.query), !renamed.utf8.elementsEqual(view.query.utf8)
            else { continue }
            let subject = "The query of the view “\(view.name)” would"
            if renamed.utf8.count > max(QueryParser.longestText, view.query.utf8.count) {
                return "\(subject) be longer than \(QueryParser.longestText) bytes"
            }
            if !Self.isQuery(renamed) { return "\(subject) have too many parts" }
        }
        return nil
    }

    /// The text of a query with the new names. Text that is not a valid query, or would not be one
    /// with them, is returned unchanged. O(text), and O(tags) for a name that may be meant.
    package func query(_ text: String) -> String {
        guard let renamed = renamed(text), Self.isQuery(renamed) else { return text }
        return renamed
    }

    private static func isQuery(_ text: String) -> Bool {
        do {
            _ = try Query(text)
            return true
        } catch {
            return false
        }
    }

    /// A valid query with the new names, with which it may be none; nil if it is none before.
    private func renamed(_ text: String) -> String? {
        do {
            var bytes = Array(text.utf8)
            for term in try Query(text).terms.reversed() {
                let new: String? =
                    switch term.kind {
                    case .tag(let name): newTerm(for: name, at: term, bytes)
                    case .tagsBelow(let name):
                        newTerm(
                            forTagsBelow: name, String(decoding: bytes[term.place], as: UTF8.self),
                            isAlternative: bytes.isAlternative(at: term.place))
                    default: nil
                    }
                if let new { bytes.replaceSubrange(term.place, with: new.utf8) }
            }
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            return nil
        }
    }

    /// The new term for a name and a slash, or nil if that still finds all tags that it found. Tags
    /// that are below the name only now are found too, as new ones are.
    ///
    /// - Parameter isAlternative: true if several terms need no brackets of their own.
    private func newTerm(
        forTagsBelow name: String, _ term: String, isAlternative: Bool
    ) -> String? {
        guard !changed.isEmpty else { return nil }
        let meant = Set(former.meant(below: name).map { merged[$0.id] ?? $0.id })
        // A name that is gone may come to mean other names.
        let stays = latter.levels(named: name).isSubset(of: former.levels(named: name))
        let still = stays ? Set(latter.meant(below: name).map(\.id)) : []
        let lost = meant.subtracting(still)
        let tags = latter.filter { lost.contains($0.id) }
        guard !tags.isEmpty else { return nil }
        let tops = Set(former.meant(by: name).map { merged[$0.id] ?? $0.id })
        // The tag that stood above the others may still do so, and above no others.
        let below = Dictionary(
            tags.filter { tops.contains($0.id) }.map { tag in
                (tag.id, Set(latter.meant(below: tag.label).map(\.id)))
            }
        ) { $1 }.filter { $1.isSubset(of: meant) }
        let found = below.values.reduce(into: Set()) { $0.formUnion($1) }
        var names = tags.compactMap { tag -> String? in
            if below[tag.id] != nil { return tag.queryTerm() + "/" }
            return found.contains(tag.id) ? nil : tag.queryTerm()
        }
        if !still.isEmpty { names.append(term) }
        let all = names.joined(separator: " OR ")
        return names.count == 1 || isAlternative ? all : "(\(all))"
    }

    /// Returns the replacement of `name` in a term, or nil if it can stay.
    private func newTerm(for name: String, at term: Query.Term, _ bytes: [UInt8]) -> String? {
        guard changed.contains(Self.key(of: name)) else { return nil }
        let meant = former.meant(by: name)
        guard let id = meant.first.map({ merged[$0.id] ?? $0.id }), meant.count == 1,
            let tag = latter.first(where: { $0.id == id }),
            latter.meant(by: name).map(\.id) != [id]
        else { return nil }
        // After a quotation mark the next word may follow at once.
        let (end, next) = (term.place.upperBound, term.place.lowerBound + 1)
        let isQuoted = next < end && bytes[next] == UInt8(ascii: "\"")
        return tag.queryTerm(isQuoted: isQuoted && end < bytes.count && bytes[end] != 0x20)
    }
}

extension [UInt8] {
    /// Returns true if the term at `place` is a whole alternative of a query's `(a OR b)`.
    fileprivate func isAlternative(at place: Range<Int>) -> Bool {
        let (before, after) = (self[..<place.lowerBound], self[place.upperBound...])
        return (before.last == UInt8(ascii: "(") || before.suffix(4).elementsEqual(" OR ".utf8))
            && (after.first == UInt8(ascii: ")") || after.starts(with: " OR ".utf8))
    }
}
