import ArgumentParser
import SheafList

/// `sheaf move`: another place for items.
struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        _superCommandName: "sheaf",
        abstract: "Move items directly before or after another one.",
        usage: "sheaf move [--store <url>] (--before <id> | --after <id>) \(ItemArguments.usage)",
        discussion: """
            Several items are placed in the order in which they are given, those that a query finds in list order. If \
            one id is wrong, nothing is moved.

            \(ItemArguments.help)

            For example:
              sheaf move 9b2f --before 03ac
              sheaf move 9b2f 5d01 77e0 --after 03ac
              sheaf move --where "+garden is:open" --before 03ac
            """)

    @OptionGroup var store: StoreOptions

    @Option(help: ArgumentHelp("The item to move them before.", valueName: "id"))
    var before: String?

    @Option(help: ArgumentHelp("The item to move them after.", valueName: "id"))
    var after: String?

    @OptionGroup var items: ItemArguments

    func validate() throws {
        guard (before == nil) != (after == nil) else {
            throw ValidationError(
                before == nil
                    ? "Give --before or --after another item."
                    : "Give either --before or --after, not both.")
        }
    }

    func run() throws {
        let target = try ItemReference(before ?? after ?? "")
        let side: Side = before == nil ? .after : .before
        let edited = try items.edited()
        try ListEdit.perform(on: store, edited) { edit, items in
            let target = try await edit.items.item(target)
            // An item cannot move beside itself.
            let moved = items.filter { $0.id != target.id }
            let words = "\(described(moved)) \(side.rawValue) \(quoted(target.name))"
            var plan = ListEdit.Plan(
                report: "Moved \(words).",
                purpose: ListEdit.Purpose(words: "move \(words)", items: moved))
            plan.changes.items = try await edit.storage.changes(placing: moved, side, target)
            return plan
        }
    }
}
