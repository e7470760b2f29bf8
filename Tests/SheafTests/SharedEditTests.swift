import Foundation
import SheafApp
import SheafStorage
import SheafTUI
import SheafTestSupport
import SwiduxTesting
import Terminal
import Testing

/// Each edit that keys and commands both make, on equal lists.
@MainActor
@Suite("Edits by keys and by commands")
struct SharedEditTests {
    struct Edit: Sendable, CustomTestStringConvertible {
        let name: String
        /// The keys by their names, after which as many steps are undone as there are commands.
        let keys: String
        /// The commands, with the names of items in braces for their ids, and `_` for a space.
        let commands: [String]
        /// The last messages of the screen and of the commands.
        let toast: String?
        let report: String

        init(
            _ name: String, _ keys: String, _ commands: String..., toast: String? = nil,
            report: String
        ) {
            (self.name, self.keys, self.commands) = (name, keys, commands)
            (self.toast, self.report) = (toast, report)
        }

        var testDescription: String { name }
    }

    nonisolated static let edits = [
        Edit("done", "j x", "done {bread}", report: "Marked “bread” done."),
        Edit(
            "several done", "3 x", "done {milk} {bread} {fence}",
            toast: "3 items done", report: "Marked 3 items done. Added the next occurrence."),
        Edit(
            "not done", "G k x", "done --undo {tea}",
            report: "Marked “tea” not done."),
        Edit(
            "done, with a next occurrence", "x", "done {milk}",
            toast: "Done, next on Thu 17 Jan 2041: “milk”",
            report: "Marked “milk” done. Added the next occurrence."),
        Edit(
            "not done, without the next occurrence", "x x", "done {milk}", "done --undo {milk}",
            report: "Marked “milk” not done."),
        Edit(
            "the last occurrence", "g R '+9999y' Enter x", "set --repeat +9999y {milk}",
            "done {milk}", toast: "Done, with no next date up to the year 9999: “milk”",
            report:
                "Marked “milk” done. No next occurrence for 1: its date would be after the year 9999."
        ),
        Edit(
            "deleted", "j d d", "delete {bread}", toast: "Deleted: “bread”",
            report: "Deleted “bread”."),
        Edit(
            "several deleted", "2 d d y", "delete {milk} {bread}",
            toast: "2 items deleted", report: "Deleted 2 items."),
        Edit(
            "renamed", "j r ^U 'rye' Enter", "rename {bread} rye",
            report: "Renamed “bread” to “rye”."),
        Edit("note", "j e", "set --note two_loaves {bread}", report: "Set “bread”: new note."),
        Edit(
            "due date", "D '2041-02-01' Enter", "set --due 2041-02-01 {milk}",
            toast: "Due Fri 1 Feb 2041: “milk”", report: ""),
        Edit(
            "no due date", "D 'none' Enter", "set --due none {milk}",
            toast: "No due date: “milk”", report: "Set “milk”: no due date."),
        Edit(
            "due dates", "2 D '2041-02-01' Enter", "set --due 2041-02-01 {milk} {bread}",
            toast: "Due Fri 1 Feb 2041 set on 2 items", report: ""),
        Edit(
            "scheduled date", "g D '2041-01-05' Enter", "set --scheduled 2041-01-05 {milk}",
            toast: "Hidden until Sat 5 Jan 2041: “milk”", report: ""),
        Edit(
            "repeat", "g R '2_weeks' Enter", "set --repeat 2_weeks {milk}",
            toast: "Repeats 2 weeks after done: “milk”",
            report: "Set “milk”: repeat 2w, 2 weeks after done."),
        Edit(
            "priority", "! b", "set --priority B {milk}",
            toast: "Priority B: “milk”", report: "Set “milk”: priority B."),
        Edit(
            "no priority", "j j ! !", "set --priority none {fence}",
            toast: "No priority: “fence”", report: "Set “fence”: no priority."),
        Edit(
            "tag added", "j t 'gard' Enter", "tag add garden {bread}",
            report: "Added the tag “+garden” to “bread”."),
        Edit(
            "new tag", "2 t 'dairy' Enter", "tag add dairy {milk} {bread}",
            toast: "#dairy added to 2 items",
            report: "Added the tag “dairy” to 2 items."),
        Edit(
            "tag removed", "t 'shop' Enter", "tag remove shop {milk}",
            toast: "#shop removed: “milk”", report: "Removed “shop” from “milk”."),
        Edit(
            "tag of a word removed", "G t 'shop' Enter", "tag remove shop {mug}",
            toast: "#shop removed: “mug at shop, +garden”",
            report: "Removed “shop” from “mug at shop, +garden”."),
        Edit(
            "tag renamed to several words", "h G k r ^U 'my_plot' Enter",
            "tag rename garden my_plot",
            toast: "Tag renamed. “my plot” is not one word, so texts lost the sign of +garden",
            report: "Renamed tag “+garden” to “my plot”."),
        Edit(
            "tag renamed", "h G k k r ^U 'store' Enter", "tag rename shop store",
            report: "Renamed tag “shop” to “store”."),
        Edit(
            "tag renamed to a name that another tag has", "h G k k r ^U '+Garden' Enter",
            "tag rename shop +Garden", toast: "A tag “+garden” already exists", report: ""),
        Edit("tag recolored", "h G k k c", "tag recolor shop green", report: "Made “shop” green."),
        Edit(
            "tag deleted", "h G k d d y", "tag delete +garden",
            toast: "Tag deleted: “+garden”. View “outside” now shows the items of all tags",
            report: "Deleted tag “+garden”: 2 items and 1 view changed."
                + " View “outside” now shows the items of all tags."),
        Edit(
            "moved down", "2 J", "move --after {fence} {milk}",
            report: "Moved “milk” after “fence”."),
        Edit(
            "moved up", "G k K", "move --before {fence} {tea}",
            report: "Moved “tea” before “fence”."),
        Edit(
            "moved to the end", "g J", "move --after {mug} {milk}",
            report: "Moved “milk” after “mug at #shop, +garden”."),
        Edit(
            "cut and pasted", "2 m G p", "move --after {mug} {milk} {bread}",
            toast: "2 items moved", report: "Moved 2 items after “mug at #shop, +garden”."),
        Edit(
            "view renamed", "h g g r ^U 'groceries' Enter", "view rename buy groceries",
            report: "Renamed view “buy” to “groceries”."),
        Edit(
            "view moved", "h g g J", "view move buy --after outside",
            report: "Moved view “buy” after “outside”."),
        Edit(
            "view deleted", "h g g d d", "view delete buy",
            toast: "View deleted: “buy”", report: "Deleted view “buy”."),
        Edit("added", "A 'jam' Enter", "add jam", report: ""),
    ]

    private let sheaf: SheafBinary
    private let items: [Item]
    private let start: StorageChanges

    init() throws {
        sheaf = try SheafBinary()
        let tags = Fixtures.tags(["shop", "+garden", "spare"])
        var items = Fixtures.items(["milk", "bread", "fence", "tea", "mug at #shop, +garden"])
        items[0].tags = [tags[0].id]
        (items[0].due, items[0].repeat) = (CalendarDay("2041-01-10"), Repeat("+1w"))
        items[1].tags = [tags[0].id]
        items[2].tags = [tags[1].id]
        (items[2].priority, items[2].note) = (.a, "white")
        items[3].doneAt = Fixtures.now
        items[4].tags = [tags[0].id, tags[1].id]
        self.items = items
        start = StorageChanges(
            tags: tags,
            views: [
                Fixtures.view(1, "buy", query: "#shop"),
                Fixtures.view(2, "outside", choice: .tag(tags[1].id)),
            ], items: items)
    }

    @Test("equal lists are equal after both, and undo restores the list", arguments: edits)
    func agree(_ edit: Edit) async throws {
        for name in ["keys", "commands"] {
            let storage = try open(name)
            _ = try await storage.commit(start)
            await storage.close()
        }
        let before = try await rows("keys")

        let terminal = FakeTerminal()
        terminal.editedText = "two loaves"
        let storage = try open("keys")
        let store = AppStore(
            initialState: AppState(),
            environment: AppEnvironment(
                now: { .now }, makeID: { UUID() }, sleep: { _ in throw CancellationError() },
                storage: storage, terminal: terminal))
        await store.load()
        await type(edit.keys, store)
        let toast = store.state.ui.toast?.text
        await store.flush()

        var report = ""
        for command in edit.commands {
            report = try await run(command)
        }
        #expect(try await rows("keys") == rows("commands"))
        if !edit.report.isEmpty { #expect(report == edit.report) }
        #expect(toast == edit.toast)

        await type("Esc " + edit.commands.map { _ in "u" }.joined(separator: " "), store)
        await store.flush()
        await storage.close()
        #expect(try await rows("keys") == before)
    }

    private func open(_ name: String) throws -> any ListStorage {
        try StoreURL(.json, path: sheaf.path("\(name).json")).location
            .openStorage(.readWriteCreate)
    }

    private func type(_ keys: String, _ store: AppStore) async {
        let dispatcher = KeyDispatcher(store: store)
        for part in keys.split(separator: " ") {
            let isText = part.count > 2 && part.hasPrefix("'")
            dispatcher.handle(
                isText
                    ? part.dropFirst().dropLast().map { Key(.character($0 == "_" ? " " : $0)) }
                    : [Key(part)].compactMap(\.self))
            await store.settled()
        }
    }

    /// Runs a command, and returns its report.
    private func run(_ command: String) async throws -> String {
        let words = command.split(separator: " ").map { word in
            items.reduce(String(word).replacing("_", with: " ")) {
                $0.replacing(
                    "{\($1.name.prefix { $0 != " " })}", with: $1.id.uuidString.lowercased())
            }
        }
        let result = try await sheaf.run(words + ["--store", "commands.json"])
        return result.output.trimmingCharacters(in: .newlines)
    }

    /// The rows of a list as lines, without ids and times.
    private func rows(_ name: String) async throws -> [String] {
        let storage = try open(name)
        let tags = try await storage.loadTags()
        let names = Dictionary(uniqueKeysWithValues: tags.map { ($0.id, $0.name) })
        let views = try await storage.loadViews()
        let items = try await storage.loadItems(after: nil, limit: .max)
        await storage.close()
        func text(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "-" }
        return tags.map { "tag \($0.name) \($0.color)" }
            + views.map { view in
                "view \(view.name) \(view.query) \(text(view.tag.flatMap { names[$0] }))"
            }
            + items.map { item in
                """
                item \(item.name) \(item.isDone) \(text(item.due)) \(text(item.scheduled)) \
                \(text(item.repeat)) \(text(item.priority)) “\(item.note)” \
                \(item.tags.compactMap { names[$0] }.sorted())
                """
            }
    }
}
