import ArgumentParser
import SheafList
import SheafStorage

/// `sheaf copy`: copies a list to another place, or to another kind of store.
struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a whole list to another place.",
        discussion: """
            Both lists are named as with --store. The copy has the same items, ids, order, times, tags and views. The \
            new list must be empty or not exist yet; on a server 'sheaf share create' creates it. A new file is complete or does not exist; a copy into a list \
            that exists may be interrupted, and the same command then continues it. Backups stay with the old \
            list.

            For example:
              sheaf copy reading.sqlite reading.json
              sheaf copy json:old.json sqlite:new.sqlite
              sheaf copy reading.sqlite 'postgresql://anna@db.example.org/lists?list=home'
            """)

    @Argument(help: "The list to copy.")
    var list: String

    @Argument(help: "The list to copy it to.")
    var newList: String

    func run() throws {
        let (source, target) = (
            try Locations.current.named(list), try Locations.current.named(newList)
        )
        guard source.key != target.key else {
            throw CommandFailure(
                .usage, "\(target.name): this is the list itself; name another place")
        }
        let progress = try ProgressLine()
        defer { progress.finish() }
        let open = try source.opening(.readWrite).storage
        let outcome = try make(target, of: open, progress)
        progress.finish()
        if outcome.wasComplete {
            FileOutput.report("\(shown(target.name)) already has all of \(shown(source.name)).\n")
        } else {
            FileOutput.report("\(Self.summary(outcome)) to \(shown(target.name)).\n")
        }
        guard !outcome.hadOtherWriters else {
            throw CommandFailure(
                .failure,
                "\(target.name): another process wrote to it during the copy, so it has more than"
                    + " the original"
            )
        }
    }

    /// Makes `target` a copy of `source`.
    private func make(
        _ target: any Location, of source: any ListStorage, _ progress: ProgressLine
    ) throws -> ListCopy.Outcome {
        try making(target.name) {
            guard let draft = try target.draft(.readWriteCreate) else {
                return try fill(target, from: source, progress)
            }
            let copy = Self.copy(from: source, to: draft.storage, target.file)
            return try runBlocking {
                let outcome = try await Self.run(copy, of: source, progress)
                try await draft.finish(as: target.name)
                return outcome
            }
        }
    }

    /// Copies `source` directly to `target`, which exists or is on a server.
    private func fill(
        _ target: any Location, from source: any ListStorage, _ progress: ProgressLine
    ) throws -> ListCopy.Outcome {
        let storage = try target.opening(.readWriteCreate).storage
        if let reference = target.server?.assumed {
            throw CommandFailure(
                .usage,
                "\(target.name): this list belongs to another role. Nothing was copied. If you mean it,"
                    + " name it exactly: list=\(reference)")
        }
        let copy = Self.copy(from: source, to: storage, target.file)
        do {
            return try runBlocking {
                let outcome = try await Self.run(copy, of: source, progress)
                await storage.close()
                return outcome
            }
        } catch let taken as ListCopy.TargetTaken {
            let what = taken.items > 0 ? counted(taken.items, "item") : "tags or views"
            throw CommandFailure(
                .cannotCreate,
                "\(target.name): already has \(what); name a list that is empty or does not exist"
            )
        } catch {
            progress.finish()
            reportRest(of: storage, at: target)
            throw error
        }
    }

    /// Reports the progress of an interrupted copy, if it can be determined.
    private func reportRest(of storage: any ListStorage, at target: any Location) {
        var count = 0
        do {
            count = try runBlocking { try await storage.itemCount() }
        } catch {
            return
        }
        guard count > 0 else { return }
        Diagnostics.report(
            "The copy is incomplete: \(target.name) has \(counted(count, "item")) so far. The same"
                + " command continues it.")
    }

    /// Returns a copy operation. For a JSON target it has a single commit, because each commit
    /// rewrites the whole JSON list.
    private static func copy(
        from source: any ListStorage, to target: any ListStorage, _ file: FileLocation?
    ) -> ListCopy {
        file?.url.backend == .json
            ? ListCopy(from: source, to: target, commitSize: .max)
            : ListCopy(from: source, to: target)
    }

    private static func run(
        _ copy: ListCopy, of source: any ListStorage, _ progress: ProgressLine
    ) async throws -> ListCopy.Outcome {
        try await source.checkIntegrity()
        let all = try await source.itemCount()
        progress.show("copying \(counted(all, "item"))")
        let outcome = try await copy.run { progress.show("copied \($0) of \(all)") }
        await source.close()
        return outcome
    }

    /// Returns the report: `Copied 3 items, 2 tags and 1 view`.
    private static func summary(_ outcome: ListCopy.Outcome) -> String {
        let text =
            "Copied \(counted(outcome.items, "item")), \(counted(outcome.tags, "tag"))"
            + " and \(counted(outcome.views, "view"))"
        guard outcome.foundItems > 0 else { return text }
        return "\(text) (\(outcome.foundItems) of the items already existed)"
    }
}

/// `sheaf demo`: creates a sample list.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Fill a new list with sample items.",
        discussion: """
            A list that already has items is left unchanged. A new file is complete or does not exist.

            For example:
              sheaf demo --store demo.sqlite --items 100000
              sheaf --store demo.sqlite
            """)

    @OptionGroup var store: StoreOptions

    @Option(parsing: .unconditional, help: "The number of items, at most 10 million.")
    var items = 1_000

    func validate() throws {
        guard (1...10_000_000).contains(items) else {
            throw ValidationError("--items takes a number from 1 to 10000000.")
        }
    }

    func run() throws {
        let mode = OpenMode.readWriteBegin
        // An existing list is filled in place. A new file gets its name at the end.
        let draft = try mode.making { try store.location().draft(mode) }
        let storage = try draft?.storage ?? store.open(mode).storage
        if items >= 100_000 { Diagnostics.progress("Making \(counted(items, "item"))…") }
        try runBlocking {
            try await fill(storage)
            guard let draft else { return await storage.close() }
            try await draft.finish(as: storage.displayName)
        }
        FileOutput.report(
            "Filled \(shown(storage.displayName)) with \(counted(items, "item")).\n")
    }

    /// Adds the sample items to `storage`. Throws if `storage` already has items.
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
