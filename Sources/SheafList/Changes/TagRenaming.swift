import Swidux

/// A renaming or merging of tags, which updates the queries that use their names.
///
/// A name that still means the same tag stays as the user typed it. A name that would mean another
/// tag, or several tags, is replaced by the full name of the tag that it meant.
package struct TagRenaming {
    private let former: [Tag]
    private let latter: [Tag]
    private let merged: [Tag.ID: Tag.ID]
    /// The folded forms of the names that tags have lost or received. Only these can have changed
    /// their meaning, and a comparison of other names with all tags would be slow.
    private let changed: Set<String>

    /// - Parameters:
    ///   - former: all tags of the list before the renaming.
    ///   - latter: all tags after it. Names of deleted tags stay as the user typed them.
    ///   - merged: the tags that replace merged tags.
    package init(from former: [Tag], to latter: [Tag], merged: [Tag.ID: Tag.ID] = [:]) {
        self.former = former
        self.latter = latter
        self.merged = merged
        let names = Dictionary(former.map { ($0.id, $0.name) }) { $1 }
        let newNames = Dictionary(latter.map { ($0.id, $0.name) }) { $1 }
        changed = Set(
            former.filter { newNames[$0.id] != $0.name }.map { Self.key(of: $0.name) }
                + latter.filter { names[$0.id] != $0.name }.map { Self.key(of: $0.name) })
    }

    /// Returns a name without sigils, case and accents.
    private static func key(of name: String) -> String {
        FoldedText.text(of: String(name.unicodeScalars.drop { "#+@".unicodeScalars.contains($0) }))
            .trimmed
    }

    /// Returns the view with the new names in its query, and with the replacement of its chosen
    /// tag.
    package func view(_ view: SavedView) -> SavedView {
        var view = view.replacingTag(merged)
        view.query = query(view.query)
        return view
    }

    /// Returns the changes of those of `views` whose query or chosen tag the renaming changes.
    /// O(views).
    package func changes(in views: some Sequence<SavedView>) -> EntityChanges<SavedView> {
        var changes = EntityChanges<SavedView>()
        for view in views {
            let renamed = self.view(view)
            if renamed != view { changes.replace(view, with: renamed) }
        }
        return changes
    }

    /// Returns the reason why the tags cannot get the new names, or nil if they can: the first of
    /// `views` whose query would become too long or have too many parts. O(queries), plus the cost
    /// of ``query(_:)`` for each name that may be affected.
    package func obstacle(in views: some Sequence<SavedView>) -> String? {
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

    /// Returns a query with the new names. A text that is not a valid query, or would not be one
    /// with the new names, is returned unchanged. O(text), and O(tags) for a name that may be
    /// affected.
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

    /// Returns a query with the new names, or nil if `text` is not a valid query. The result may be
    /// invalid: for example, too long.
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
            let new = String(decoding: bytes, as: UTF8.self)
            guard !merged.isEmpty, !new.utf8.elementsEqual(text.utf8) else { return new }
            return withoutRepetitions(new, of: Set(merged.values))
        } catch {
            return nil
        }
    }

    /// Returns the tag that a name means after the renaming, or nil if it means none or several.
    func meaning(of name: String) -> Tag.ID? {
        let meant = latter.meant(by: name)
        return meant.count == 1 ? meant[0].id : nil
    }

    /// Returns the new term for a name with a slash, or nil if the name still finds all tags that
    /// it found before. The name may also find tags that the renaming moves below it, as it finds
    /// new tags.
    ///
    /// - Parameter isAlternative: true if several terms need no parentheses of their own.
    private func newTerm(
        forTagsBelow name: String, _ term: String, isAlternative: Bool
    ) -> String? {
        guard !changed.isEmpty else { return nil }
        let meant = Set(former.meant(below: name).map { merged[$0.id] ?? $0.id })
        // If no tag has the name any more, it may match names with other sigils or accents.
        let stays = latter.levels(named: name).isSubset(of: former.levels(named: name))
        let still = stays ? Set(latter.meant(below: name).map(\.id)) : []
        let lost = meant.subtracting(still)
        let tags = latter.filter { lost.contains($0.id) }
        guard !tags.isEmpty else { return nil }
        let tops = Set(former.meant(by: name).map { merged[$0.id] ?? $0.id })
        // A tag that is still above the lost tags, and above no others, replaces their terms.
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
        // After a quotation mark, the next word may follow without a space.
        let (end, next) = (term.place.upperBound, term.place.lowerBound + 1)
        let isQuoted = next < end && bytes[next] == UInt8(ascii: "\"")
        return tag.queryTerm(isQuoted: isQuoted && end < bytes.count && bytes[end] != 0x20)
    }
}

extension [UInt8] {
    /// Returns true if the term at `place` is a complete alternative in a query's `(a OR b)`.
    fileprivate func isAlternative(at place: Range<Int>) -> Bool {
        let (before, after) = (self[..<place.lowerBound], self[place.upperBound...])
        return (before.last == UInt8(ascii: "(") || before.suffix(4).elementsEqual(" OR ".utf8))
            && (after.first == UInt8(ascii: ")") || after.starts(with: " OR ".utf8))
    }
}
