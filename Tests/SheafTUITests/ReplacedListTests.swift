import Foundation
import SheafApp
import SheafStorage
import SheafTestSupport
import Testing

/// The screen on a list whose file a sync tool replaces.
@Suite("A list that a sync tool replaces")
@MainActor
struct ReplacedListTests {
    private let folders: [TemporaryFolder]

    init() throws {
        folders = [try TemporaryFolder(), try TemporaryFolder()]
    }

    private func path(_ backend: StoreURL.Backend, on machine: Int) -> String {
        folders[machine].file("list.\(backend.rawValue)")
    }

    private func open(
        _ backend: StoreURL.Backend, on machine: Int, idsFrom firstID: Int = 201
    ) async throws -> Driver {
        let url = StoreURL(backend, path: path(backend, on: machine))
        return await Driver(
            over: try url.location.openStorage(.readWriteCreate), idsFrom: firstID)
    }

    /// Copies the list of one machine to the other, as sync tools do: beside it, then renamed. A
    /// copy is whole, even if the screen there commits at the same time.
    private func sync(_ backend: StoreURL.Backend, from source: Int) async throws {
        let target = path(backend, on: 1 - source)
        let location = try StoreURL(backend, path: path(backend, on: source)).location
        _ = try Backup.make(of: location, to: target + ".tmp")
        #expect(rename(target + ".tmp", target) == 0)
        // SQLite would play the journal of a commit to the old file into the new one, if another
        // program opened that in these milliseconds.
        while access(target + "-journal", F_OK) == 0 {
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    @Test(
        "another machine's edits come to the screen, and edits that wait are saved",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases)
    func arrives(_ backend: StoreURL.Backend) async throws {
        let mine = try await open(backend, on: 0)
        mine.type("A 'ice' Enter A 'tea' Enter g g")
        await mine.store.flush()
        try await sync(backend, from: 0)
        let theirs = try await open(backend, on: 1, idsFrom: 501)
        theirs.type("A 'rum' Enter g g r '!' Enter")
        await theirs.store.flush()
        mine.type("x")
        try await sync(backend, from: 1)
        await Driver.wait(for: mine) { mine.names == ["ice!", "tea", "rum"] }
        await mine.store.flush()
        #expect(mine.names == ["ice!", "tea", "rum"])
        #expect(mine.state.items.first?.isDone == true)
        #expect(mine.state.selectedItem?.name == "ice!")
        #expect(mine.state.saving.phase == .saved)
        #expect(mine.state.saving.counters.failures == 0)
        #expect(mine.state.ui.toast?.isAlert != true)
    }

    @Test(
        "a list that is none of this one is said not to be saved, and the copy is named",
        .timeLimit(.minutes(1)))
    func another() async throws {
        let url = StoreURL(.sqlite, path: path(.sqlite, on: 0))
        let maker = try url.location.openStorage(.readWriteCreate)
        var changes = StorageChanges()
        changes.items.upsert(Fixtures.items(["ice"]))
        _ = try await maker.commit(changes)
        await maker.close()
        let mine = try await open(.sqlite, on: 0)
        let theirs = try await open(.sqlite, on: 1, idsFrom: 501)
        theirs.type("A 'rum' Enter")
        await theirs.store.flush()
        try await sync(.sqlite, from: 1)
        await Driver.wait(for: mine) {
            await mine.store.flush()
            return mine.state.saving.failure?.contains("list.sqlite.replaced-1") == true
        }
        #expect(mine.names == ["ice"])
        #expect(mine.state.saving.phase == .failing)
    }

    @Test(
        "edits of others that an older version lacks, which cp wrote into the file, are in a copy",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases, [false, true])
    func overwritten(_ backend: StoreURL.Backend, hasOwn: Bool) async throws {
        let mine = try await open(backend, on: 0)
        mine.type("A 'ice' Enter A 'tea' Enter")
        await mine.store.flush()
        let older = try folders[0].bytes(of: "list.\(backend)")
        let url = StoreURL(backend, path: path(backend, on: 0))
        let theirs = try url.location.openStorage(.readWrite)
        var ice = try #require(mine.state.items.first)
        var changes = StorageChanges()
        changes.items[ice.id]?.before = ice
        ice.name = "ice!"
        ice.updatedAt = Timestamp(milliseconds: ice.updatedAt.milliseconds + 1)
        let last = try #require(mine.state.items.values.last?.rank)
        let rum = Item(
            id: UUID(), name: "rum", rank: Rank.between(last, nil), createdAt: Fixtures.now)
        changes.items.upsert([ice, rum])
        _ = try await theirs.commit(changes)
        await theirs.close()
        await Driver.wait(for: mine) { mine.names == ["ice!", "tea", "rum"] }
        if hasOwn {
            mine.type("g g j r '?' Enter")
            await mine.store.flush()
        }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path(backend, on: 0)))
        try file.write(contentsOf: older)
        try file.truncate(atOffset: UInt64(older.count))
        try file.close()
        await Driver.wait(for: mine) {
            mine.state.ui.toast?.text.contains("list.\(backend).replaced-1") == true
        }
        await Driver.wait(for: mine) { mine.names == ["ice", hasOwn ? "tea?" : "tea"] }
        #expect(mine.state.ui.toast?.isAlert == true)
        let copy = StoreURL(backend, path: path(backend, on: 0) + ".replaced-1")
        let reader = try copy.location.openStorage(.readOnly)
        #expect(
            try await reader.loadItems(after: nil, limit: 9).map(\.name)
                == ["ice!", hasOwn ? "tea?" : "tea", "rum"])
        await reader.close()
        let names = try folders[0].names
        #expect(names.filter { $0.contains("replaced") } == ["list.\(backend).replaced-1"])
    }

    @Test("a version that lacks only edits of this session is not copied", .timeLimit(.minutes(1)))
    func overwrittenByOwn() async throws {
        let mine = try await open(.sqlite, on: 0)
        mine.type("A 'ice' Enter")
        await mine.store.flush()
        let older = try folders[0].bytes(of: "list.sqlite")
        mine.type("A 'tea' Enter")
        await mine.store.flush()
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path(.sqlite, on: 0)))
        try file.write(contentsOf: older)
        try file.close()
        while try await stored(on: 0).count < 2 { try await Task.sleep(for: .milliseconds(5)) }
        mine.type("A 'rum' Enter")
        await mine.store.flush()
        #expect(try await stored(on: 0).map(\.name) == ["ice", "tea", "rum"])
        #expect(mine.state.ui.toast?.isAlert != true)
        #expect(try !folders[0].names.contains { $0.contains("replaced") })
    }

    // MARK: At the end

    /// Opens a list and saves `ice`, copies the file, and saves `tea`.
    private func openWithCopy(
        _ backend: StoreURL.Backend
    ) async throws -> (mine: Driver, copy: String) {
        let mine = try await open(backend, on: 0)
        mine.type("A 'ice' Enter")
        await mine.store.flush()
        let copy = path(backend, on: 1)
        let location = try StoreURL(backend, path: path(backend, on: 0)).location
        _ = try Backup.make(of: location, to: copy)
        mine.type("A 'tea' Enter")
        await mine.store.flush()
        return (mine, copy)
    }

    /// Ends the program before the watch can report anything.
    private func end(_ driver: Driver, _ action: LeavingAction) async throws -> Exit {
        driver.store.send(.leaving(action))
        await Driver.wait(for: driver) { driver.state.leaving.exit != nil }
        return try #require(driver.state.leaving.exit)
    }

    @Test(
        "edits are saved again to an older version that replaces the file at the end",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases,
        [LeavingAction.quitRequested, .signalled(SIGTERM), .signalled(SIGHUP)])
    func replacedAtEnd(_ backend: StoreURL.Backend, by action: LeavingAction) async throws {
        let (mine, copy) = try await openWithCopy(backend)
        #expect(rename(copy, path(backend, on: 0)) == 0)
        let exit = try await end(mine, action)
        #expect(exit.message == nil)
        #expect(try await stored(on: 0, backend).map(\.name) == ["ice", "tea"])
    }

    @Test(
        "so are edits that an older version lacks which cp wrote into the file at the end",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases)
    func overwrittenAtEnd(_ backend: StoreURL.Backend) async throws {
        let (mine, copy) = try await openWithCopy(backend)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path(backend, on: 0)))
        try file.write(contentsOf: bytes)
        try file.truncate(atOffset: UInt64(bytes.count))
        try file.close()
        let exit = try await end(mine, .quitRequested)
        #expect(exit.message == nil)
        #expect(try await stored(on: 0, backend).map(\.name) == ["ice", "tea"])
    }

    @Test(
        "another list that replaces the file at the end is reported, and the copy named",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases)
    func anotherAtEnd(_ backend: StoreURL.Backend) async throws {
        let mine = try await open(backend, on: 0)
        mine.type("A 'ice' Enter")
        await mine.store.flush()
        let theirs = try await open(backend, on: 1, idsFrom: 501)
        theirs.type("A 'rum' Enter")
        await theirs.store.flush()
        #expect(rename(path(backend, on: 1), path(backend, on: 0)) == 0)
        let exit = try await end(mine, .quitRequested)
        #expect(exit.status == 74)
        #expect(exit.message?.contains("list.\(backend).replaced-1") == true)
        #expect(try await stored(on: 0, backend).map(\.name) == ["rum"])
        let copy = StoreURL(backend, path: path(backend, on: 0) + ".replaced-1")
        let reader = try copy.location.openStorage(.readOnly)
        #expect(try await reader.loadItems(after: nil, limit: 9).map(\.name) == ["ice"])
        await reader.close()
    }

    @Test(
        "the end names the copy of others' edits that an older version lacks",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases)
    func othersAtEnd(_ backend: StoreURL.Backend) async throws {
        let (mine, copy) = try await openWithCopy(backend)
        let url = StoreURL(backend, path: path(backend, on: 0))
        let theirs = try url.location.openStorage(.readWrite)
        _ = try await theirs.commit(StorageChanges(items: [Fixtures.item(900)]))
        await theirs.close()
        await Driver.wait(for: mine) { mine.names.count == 3 }
        #expect(rename(copy, path(backend, on: 0)) == 0)
        let exit = try await end(mine, .quitRequested)
        #expect(exit.message?.contains("list.\(backend).replaced-1 has edits of others") == true)
        #expect(exit.status == 0)
        #expect(try await stored(on: 0, backend).map(\.name) == ["ice", "tea"])
    }

    @Test(
        "two screens whose files are copied over each other end equal, with all that was typed",
        .timeLimit(.minutes(1)), arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) async throws { try await editAtRandom(seed: seed) }

    @Test(
        "so do a hundred pairs of screens", .enabled(if: Torture.isOn), .timeLimit(.minutes(30)))
    func manyRandom() async throws {
        for seed in 1...100 as ClosedRange<UInt64> {
            try await ReplacedListTests().editAtRandom(seed: seed)
        }
    }

    /// The items in the file of a machine.
    private func stored(
        on machine: Int, _ backend: StoreURL.Backend = .sqlite
    ) async throws -> [Item] {
        let url = StoreURL(backend, path: path(backend, on: machine))
        let reader = try url.location.openStorage(.readOnly)
        let items = try await reader.loadItems(after: nil, limit: 1_000)
        await reader.close()
        return items
    }

    private func texts(_ items: some Sequence<Item>) -> Set<String> {
        items.reduce(into: []) { texts, item in
            texts.insert(item.name)
            for line in item.note.split(separator: "\n") {
                texts.insert(String(line.trimmingPrefix("was: ")))
            }
        }
    }

    private func editAtRandom(seed: UInt64) async throws {
        let first = try await open(.sqlite, on: 0, idsFrom: 1_000)
        first.type("A 'first' Enter")
        await first.store.flush()
        try await sync(.sqlite, from: 0)
        let machines = [first, try await open(.sqlite, on: 1, idsFrom: 5_000)]
        var generator = SplitMix64(seed: seed)
        // The texts that were typed, and those that were replaced or deleted.
        var typed: Set<String> = []
        var replaced: Set<String> = []
        for step in 0..<80 {
            let machine = Int.random(in: 0...1, using: &generator)
            let driver = machines[machine]
            driver.type(["j", "k", "g g", "G"].randomElement(using: &generator)!)
            let old = texts(driver.state.items)
            let selected = driver.state.ui.selectedItem.flatMap { driver.state.items[$0] }
            let adoptions = driver.state.saving.counters.adoptions
            switch Int.random(in: 0..<9, using: &generator) {
            case 0, 1: driver.type("a 'n\(step)' Enter")
            case 2: driver.type("r ^U 'r\(step)' Enter")
            case 3: driver.type("x")
            case 4: driver.type("J")
            case 5: driver.type("t '\(["red", "green"].randomElement(using: &generator)!)' Enter")
            case 6: driver.type("d d")
            case 7:
                // While the other one is saving.
                await driver.store.flush()
                let flush = Task { await machines[1 - machine].store.flush() }
                await Task.yield()
                try await sync(.sqlite, from: machine)
                await flush.value
            default: await driver.store.flush()
            }
            guard driver.state.saving.counters.adoptions == adoptions else {
                // Which of the two took a text away cannot be told.
                replaced.formUnion(texts([selected].compactMap(\.self)))
                continue
            }
            let new = texts(driver.state.items)
            typed.formUnion(new.subtracting(old))
            replaced.formUnion(old.subtracting(new))
        }
        for round in 0..<20 {
            let (source, target) = (machines[round % 2], machines[1 - round % 2])
            await source.store.flush()
            try await sync(.sqlite, from: round % 2)
            // Commits that are made again change the file, and may change nothing on the screen.
            while try await stored(on: 1 - round % 2) != target.state.items.values {
                await target.store.flush()
                try await Task.sleep(for: .milliseconds(5))
            }
            if round > 3, source.state.items.values == target.state.items.values { break }
        }
        #expect(machines[0].state.items.values == machines[1].state.items.values, "seed \(seed)")
        let lost = typed.subtracting(replaced).subtracting(texts(machines[0].state.items))
        #expect(lost.isEmpty, "seed \(seed)")
        for driver in machines { #expect(driver.state.saving.uncommitted == 0, "seed \(seed)") }
    }
}
