import ArgumentParser
import SheafList

/// `sheaf tag rename`: a new name for a tag.
struct TagRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        _superCommandName: "sheaf tag",
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
            let lookup = try await edit.tags()
            let tag = try lookup.tag(old)
            var renamed = tag
            renamed.name = name
            var plan = ListEdit.Plan(report: "Renamed tag \(quoted(tag.name)) to \(quoted(name)).")
            guard !tag.name.utf8.elementsEqual(name.utf8) else { return plan }
            let views = try await edit.storage.loadViews()
            try plan.changes.rename(tag, to: renamed, among: lookup.tags, in: views)
            return plan
        }
    }
}
