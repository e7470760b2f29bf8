import ArgumentParser
import SheafList

/// `sheaf done`: marks items done, or not done.
struct DoneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "done",
        _superCommandName: "sheaf",
        abstract: "Mark items as done, or with --undo as not done.",
        usage: "sheaf done [--store <url>] [--undo] \(ItemArguments.usage)",
        discussion: """
            An item that is already done keeps its time. The next occurrence of a repeating item is added below it; \
            --undo removes that again unless it was edited. If one id is wrong, nothing is changed.

            \(ItemArguments.help)

            For example:
              sheaf done 9b2f 03ac
              sheaf list --ids milk | sheaf done -
              sheaf done --where "@phone created:<2026-06"
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Mark the items as not done.")
    var undo = false

    @OptionGroup var items: ItemArguments

    func run() throws {
        let edited = try items.edited()
        try ListEdit.perform(on: store, edited) { [undo] edit, items in
            let changed = edit.changed(items, by: [.done(since: undo ? nil : edit.now)])
            let words = "\(described(changed.upserts)) \(undo ? "not done" : "done")"
            var plan = ListEdit.Plan(
                report: "Marked \(words).",
                purpose: ListEdit.Purpose(words: "mark \(words)", items: changed.upserts))
            plan.changes.items = changed
            let recurrences = try await edit.followRepeats(of: &plan.changes.items)
            plan.report += recurrences.sentences(quoted: quoted)
            if undo {
                plan.reportOfResult = { result in
                    let kept = result.keptIDs
                    let reopened = changed.upserts.filter { !kept.contains($0.nextID) }
                    return reopened.isEmpty
                        ? "Nothing was changed." : "Marked \(described(reopened)) not done."
                }
            }
            if recurrences.added > 0 {
                let verb = recurrences.added == 1 ? "repeats" : "repeat"
                plan.purpose?.words += " (\(recurrences.added) \(verb))"
            }
            return plan
        }
    }
}
