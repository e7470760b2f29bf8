import ArgumentParser
import SheafList

/// `sheaf tag delete`: takes tags off all items and out of the list.
struct TagDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete tags, and remove them from their items.",
        discussion: """
            The items stay, and so do saved views: one that chose a tag then shows the items of all tags. Such views are \
            named, and so are those whose queries name one of the tags. Sheaf does not ask first, and there is no \
            undo. If one of the tags does not exist, nothing is deleted.

            For example:
              sheaf tag delete novel story
            """)

    @OptionGroup var store: StoreOptions

    @Argument(
        help: ArgumentHelp(
            "The name of a tag, or the first digits of its id.", valueName: "tag"))
    var tags: [Words]

    func run() throws {
        try ListEdit.perform(on: store) { [tags = tags.texts] edit in
            let lookup = try await edit.tags()
            let tags = try lookup.tags(tags)
            let ids = Set(tags.map(\.id))
            let changed = try await edit.changedItems { $0.tags.subtract(ids) }
            let all = try await edit.views().views
            let views = all.filter { $0.tag.map(ids.contains) ?? false }
            let others = views.isEmpty ? "" : " and \(counted(views.count, "view"))"
            let tagless = SavedView.sentence(onTagless: views).map { " \($0)." } ?? ""
            let end =
                " \(counted(changed.count, "item"))\(others) changed.\(tagless)"
                + Self.sentence(on: all, naming: ids, among: lookup.tags)
            var plan = ListEdit.Plan(report: "")
            plan.reportOfResult = { result in
                let kept = result.keptIDs
                let gone = tags.filter { !kept.contains($0.id) }.map { quoted($0.name) }
                guard !gone.isEmpty else { return "Deleted nothing." }
                return
                    "Deleted tag\(gone.count == 1 ? "" : "s") \(gone.joined(separator: ", ")):\(end)"
            }
            plan.changes.items = changed
            for tag in tags { plan.changes.tags.delete(tag) }
            return plan
        }
    }

    /// So many of the views are named.
    private static let shownViews = 3

    /// Which views' queries name these tags, after what is said of the others; empty if none does.
    private static func sentence(
        on views: [SavedView], naming ids: Set<Tag.ID>, among tags: [Tag]
    ) -> String {
        let naming = views.compactMap { view in
            let words = view.words(for: ids, among: tags)
            return words.isEmpty ? nil : (quoted(view.name), words.map(cited))
        }
        guard let (name, words) = naming.first else { return "" }
        let first = " View \(name) still names \(words.joined(separator: " and "))"
        let others = naming.prefix(shownViews).dropFirst().map { name, words in
            ", \(name) \(words.joined(separator: " and "))"
        }
        let more = naming.count - shownViews
        return first + others.joined() + (more > 0 ? ", and \(more) more do." : ".")
    }
}
