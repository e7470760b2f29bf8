import ArgumentParser
import SheafList

/// `sheaf tag rename`: a new name for a tag.
struct TagRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a tag.",
        discussion: """
            Its items keep it, and the queries of saved views ask for it by the new name. A name that another \
            tag has is refused; merge joins two tags.

            For example:
              sheaf tag rename book books
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The name of the tag, or the first digits of its id.")
    var old: String

    @Argument(help: "The new name.")
    var new: String

    func run() throws {
        let name = try TagLookup.name(new)
        try ListEdit.perform(on: store) { [old] edit in
            let tags = try await edit.tags()
            let tag = try tags.tag(old)
            let folded = Tag.fold(name)
            if let other = tags.tags.first(where: { $0.foldedName == folded }), other.id != tag.id {
                throw CommandFailure(
                    .failure,
                    "A tag \(quoted(other.name)) already exists;"
                        + " 'sheaf tag merge' joins the two. Nothing was changed.")
            }
            var plan = ListEdit.Plan(report: "Renamed tag \(quoted(tag.name)) to \(quoted(name)).")
            if !tag.name.utf8.elementsEqual(name.utf8) {
                var renamed = tag
                renamed.name = name
                plan.changes.tags.replace(tag, with: renamed)
                let renaming = TagRenaming(
                    from: tags.tags, to: tags.tags.map { $0.id == tag.id ? renamed : $0 })
                plan.changes.views = try await edit.changedViews(by: renaming)
            }
            return plan
        }
    }
}
