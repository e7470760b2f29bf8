import FoundationEssentials
import Swidux

/// A named state of the list: a query with the chosen tag, the visibility of done items, and a
/// sort.
///
/// Commands and the screen refuse the name of another view. If two processes use one name at the
/// same time, storage adds a number to the later one.
package struct SavedView: Identifiable, Hashable, Sendable, Ranked {
    package let id: UUID
    /// The name as typed. Unlike a tag's name, it is not normalized, because storage is never
    /// searched for it.
    package var name = ""
    /// The query as typed, with the current names of renamed tags: ``TagRenaming``.
    package var query = ""
    /// The chosen tag, or nil. If the tag is deleted, the same step removes it from the view, as it
    /// does from items. The view then shows the items of all tags.
    package var tag: Tag.ID?
    /// True if the view shows the items without a tag. A chosen tag takes precedence, because two
    /// processes may have set one of each.
    package var showsUntagged = false
    package var hidesDone = false
    package var sort = ItemSort.manual
    package var isReversed = false
    package var rank = Rank.middle

    /// All properties except the id, each once.
    package static let fields: [Field<SavedView>] = [
        .text("name", .mine, get: { $0.name }, set: { $0.name = $1 }),
        .text("query", .mine, get: { $0.query }, set: { $0.query = $1 }),
        .tag("tag", .mine, get: { $0.tag }, set: { $0.tag = $1 }),
        .flag("showsUntagged", .mine, get: { $0.showsUntagged }, set: { $0.showsUntagged = $1 }),
        .flag("hidesDone", .mine, get: { $0.hidesDone }, set: { $0.hidesDone = $1 }),
        .word(
            "sort", .mine, get: { $0.sort.rawValue },
            set: { view, text in
                guard let sort = ItemSort(rawValue: text) else { return false }
                view.sort = sort
                return true
            }),
        .flag("isReversed", .mine, get: { $0.isReversed }, set: { $0.isReversed = $1 }),
        .rank(),
    ]

    /// Creates a view with the default value of every field.
    package init(id: UUID) { self.id = id }

    package init(
        id: UUID, name: String, query: String = "", choice: TagChoice = .all,
        hidesDone: Bool = false, sort: ItemSort = .manual, isReversed: Bool = false, rank: Rank
    ) {
        self.id = id
        self.name = name
        self.query = query
        self.hidesDone = hidesDone
        self.sort = sort
        self.isReversed = isReversed
        self.rank = rank
        self.choice = choice
    }

    /// True if the rows are in the reverse of the sort order. Best matches always come first.
    package var reversesRows: Bool { isReversed && sort != .match }

    /// The row of the tags pane that the view chooses.
    package var choice: TagChoice {
        get { tag.map(TagChoice.tag) ?? (showsUntagged ? .untagged : .all) }
        set {
            tag = if case .tag(let id) = newValue { id } else { nil }
            showsUntagged = newValue == .untagged
        }
    }

    /// Returns the name of a view that `text` spells, without white space around it, or nil if it
    /// is blank.
    package static func name(from text: String) -> String? {
        let name = text.trimmed
        return name.isEmpty ? nil : name
    }

    /// Returns the sentence about `views` whose chosen tag was deleted, without its period, or nil
    /// if `views` is empty. It names at most three views.
    package static func sentence(onTagless views: [SavedView]) -> String? {
        guard let first = views.first else { return nil }
        guard views.count > 1 else { return "View “\(first.name)” now shows the items of all tags" }
        let names = views.prefix(3).map { "“\($0.name)”" }.joined(separator: ", ")
        let more = views.count > 3 ? " and \(views.count - 3) more" : ""
        return "Views \(names)\(more) now show the items of all tags"
    }
}
