import ArgumentParser
import SheafList
import SheafStorage

/// `sheaf demo`: a list to try the program on.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        _superCommandName: "sheaf",
        abstract: "Fill a new list with sample items.",
        discussion: """
            A list that already has items is left unchanged. A new file is complete or not there at all.

            For example:
              sheaf demo --store demo.sqlite --items 100000
              sheaf --store demo.sqlite
            """)

    @OptionGroup var store: StoreOptions

    @Option(parsing: .unconditional, help: "How many items to make, up to 10 million.")
    var items = 1_000

    func validate() throws {
        guard (1...10_000_000).contains(items) else {
            throw ValidationError("--items takes a number from 1 to 10000000.")
        }
    }

    func run() throws {
        let mode = OpenMode.readWriteBegin
        // A list that exists is filled in place; a new file gets its name at the end.
        let draft = try mode.making { try store.location().draft(mode) }
        let storage = try draft?.storage ?? store.open(mode).storage
        if items >= 100_000 { Diagnostics.progress("Making \(counted(items, "item"))…") }
        try waiting {
            try await fill(storage)
            guard let draft else { return await storage.close() }
            try await draft.finish(as: storage.displayName)
        }
        FileOutput.report(
            "Filled \(shown(storage.displayName)) with \(counted(items, "item")).\n")
    }

    /// Adds the sample items to `storage`. Throws if it already has items.
    private func fill(_ storage: any ListStorage) async throws {
        let existing = try await storage.itemCount()
        guard existing == 0 else {
            throw CommandFailure(
                .failure,
                "\(try store.location().name): already has \(counted(existing, "item")); demo fills only"
                    + " a new list")
        }
        let tags = try await storage.loadTags()
        for changes in DemoData(count: items, now: .now, tags: tags) {
            _ = try await storage.commit(changes)
        }
        if let advice = try await storage.advice() { Diagnostics.report("\(advice).") }
    }
}
