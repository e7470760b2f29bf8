import Foundation
import SheafApp
import SheafStorage
import SheafTestSupport
import Testing

/// The screen on a list that another process edits.
@Suite("A list that others edit too")
@MainActor
struct SharedStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(
        _ backend: StoreURL.Backend, in folder: TemporaryFolder? = nil
    ) throws -> any ListStorage {
        let path = (folder ?? self.folder).file("list.\(backend.rawValue)")
        return try StoreURL(backend, path: path).location.openStorage(.readWriteCreate)
    }

    @Test(
        "a tag that another process made too is one tag, and nothing stays unsaved",
        arguments: StoreURL.Backend.allCases)
    func tagMadeTwice(_ backend: StoreURL.Backend) async throws {
        let driver = await Driver(over: try open(backend))
        driver.type("A 'ice' Enter")
        await driver.store.flush()

        let theirs = Fixtures.tags(["Cold"])[0]
        let other = try open(backend)
        var changes = StorageChanges()
        changes.tags.upsert([theirs])
        #expect(try await other.commit(changes).refused.isEmpty)

        driver.type("t 'cold' Enter")
        await driver.store.flush()
        await driver.store.settled()
        await driver.store.flush()
        #expect(driver.state.tags.values == [theirs])
        #expect(driver.state.selectedItem?.tags == [theirs.id])
        #expect(driver.state.saving.phase == .saved)
        #expect(driver.state.saving.uncommitted == 0)
        #expect(try await other.loadItems(after: nil, limit: 9).map(\.tags) == [[theirs.id]])
        #expect(try await other.loadTags() == [theirs])
    }

    @Test("an undo that finds everything deleted since says so")
    func undoOfDeleted() async {
        let items = Fixtures.items(["a", "b"])
        let driver = await Driver(items: items)
        driver.type("x")
        await driver.store.flush()
        driver.store.send(.saving(.arrived(deleting: [items[0].id])))
        driver.type("u")
        #expect(driver.state.ui.toast?.text == "Cannot undo done: 1 item deleted since")
    }

    @Test("an undo that finds everything changed since says that it did nothing")
    func undoOfNothing() async throws {
        let driver = await Driver(over: try open(.sqlite))
        driver.type("A 'ice' Enter")
        await driver.store.flush()
        driver.type("x")
        await driver.store.flush()
        try await rename(to: "snow", in: try open(.sqlite), shownBy: driver)
        driver.type("u")
        #expect(driver.state.ui.toast?.text == "Cannot undo done: 1 item changed since")
        #expect(driver.state.ui.toast?.hint == nil)
        driver.type("U")
        #expect(driver.state.ui.toast?.text == "Nothing to redo")
    }

    @Test(
        "an undone rename whose old name another process has given to a tag leaves nothing behind",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases)
    func formerNameTaken(_ backend: StoreURL.Backend) async throws {
        let other = try open(backend)
        let mine = Fixtures.tags(["Home"])[0]
        var changes = StorageChanges()
        changes.tags.upsert([mine])
        changes.views.upsert([Fixtures.view(1, "at home", query: "#Home")])
        _ = try await other.commit(changes)
        let driver = await Driver(over: try open(backend))
        driver.store.send(.tags(.rename(mine.id, newName: "House")))
        #expect(driver.state.views.first?.query == "#House")
        await driver.store.flush()

        var theirs = StorageChanges()
        theirs.tags.upsert(
            SheafList.Tag(
                id: Fixtures.id(150), name: "home", color: .red, rank: Rank.between(nil, nil)))
        _ = try await other.commit(theirs)
        await Driver.wait(for: driver) { driver.state.tags.count == 2 }
        driver.type("u")
        #expect(
            driver.state.ui.toast?.text == "Cannot undo rename tag: a tag “home” already exists")
        #expect(driver.state.saving.uncommitted == 0)
        await driver.store.flush()
        #expect(driver.state.saving.phase == .saved)
        #expect(driver.state.tags[mine.id]?.name == "House")
        #expect(try await other.loadViews().map(\.query) == ["#House"])
    }

    @Test(
        "a rename that is open while another process renames overwrites nothing silently",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases)
    func openRename(_ backend: StoreURL.Backend) async throws {
        let driver = await Driver(over: try open(backend))
        driver.type("A 'ice' Enter")
        await driver.store.flush()
        let other = try open(backend)

        driver.type("r")
        try await rename(to: "snow", in: other, shownBy: driver)
        driver.type("Enter")
        #expect(driver.names == ["snow"])
        #expect(driver.state.saving.uncommitted == 0)

        driver.type("r '!'")
        try await rename(to: "rain", in: other, shownBy: driver)
        driver.type("Enter")
        await driver.store.flush()
        let item = try #require(try await other.loadItems(after: nil, limit: 9).first)
        #expect(item.name == "snow!")
        #expect(item.note == "was: rain")
        #expect(driver.state.ui.toast?.isAlert == true)
        driver.type("u")
        #expect(driver.names == ["rain"])
    }

    // MARK: The subject of keys stays the same

    /// Three tags on nothing, and an item, with the picker on the last tag.
    private func pickingLastTag(
        _ backend: StoreURL.Backend
    ) async throws -> (driver: Driver, other: any ListStorage, tags: [SheafList.Tag]) {
        let other = try open(backend)
        let tags = Fixtures.tags(["aaa", "bbb", "ccc", "ddd"])
        var changes = StorageChanges()
        changes.tags.upsert(tags)
        changes.items.upsert(Fixtures.items(["one", "two"]))
        _ = try await other.commit(changes)
        let driver = await Driver(over: try open(backend))
        driver.type("t Down Down")
        return (driver, other, tags)
    }

    private func delete(
        tags: [SheafList.Tag] = [], items: [Item] = [], in storage: any ListStorage,
        shownBy driver: Driver
    ) async throws {
        var changes = StorageChanges()
        changes.tags.delete(tags.map(\.id))
        changes.items.delete(items.map(\.id))
        _ = try await storage.commit(changes)
        await Driver.wait(for: driver) {
            !tags.contains { driver.state.tags.contains($0.id) }
                && !items.contains { driver.state.items.contains($0.id) }
        }
    }

    @Test(
        "the tag picker's highlight stays on its tag while others go",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases)
    func pickerHighlight(_ backend: StoreURL.Backend) async throws {
        let (driver, other, tags) = try await pickingLastTag(backend)
        try await delete(tags: [tags[0]], in: other, shownBy: driver)
        driver.type("Enter")
        #expect(driver.state.selectedItem?.tags == [tags[2].id])
        await driver.store.flush()
        driver.type("t Down")
        try await delete(tags: [tags[2]], in: other, shownBy: driver)
        // The first Tab is refused, the next one is about the tag that took its place.
        driver.type("Tab Tab Tab Up Tab Esc")
        #expect(driver.state.selectedItem?.tags == [tags[1].id])
    }

    @Test(
        "a tag that is typed to be made and that another process makes is that one",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases)
    func pickerCreates(_ backend: StoreURL.Backend) async throws {
        let (driver, other, _) = try await pickingLastTag(backend)
        driver.type("'c' Down")
        var changes = StorageChanges()
        let theirs = SheafList.Tag(
            id: Fixtures.id(150), name: "C", color: .red, rank: Rank.between(nil, nil))
        changes.tags.upsert([theirs])
        _ = try await other.commit(changes)
        await Driver.wait(for: driver) { driver.state.tags.contains(theirs.id) }
        driver.type("Enter")
        #expect(driver.state.selectedItem?.tags == [theirs.id])
    }

    @Test(
        "half of a command about an item that another process deletes is none about the next",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases)
    func halfACommand(_ backend: StoreURL.Backend) async throws {
        let (driver, other, _) = try await pickingLastTag(backend)
        driver.type("Esc d")
        let item = try #require(driver.state.selectedItem)
        try await delete(items: [item], in: other, shownBy: driver)
        driver.type("d")
        #expect(driver.names == ["two"])
    }

    @Test(
        "yes to a question about a tag is no yes to what the tag has become",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases)
    func questionAboutTag(_ backend: StoreURL.Backend) async throws {
        let (driver, other, tags) = try await pickingLastTag(backend)
        driver.type("Enter h G k")
        #expect(driver.state.selectedTag == tags[2])
        await driver.store.flush()
        driver.type("d d")
        var renamed = tags[2]
        renamed.name = "precious"
        var changes = StorageChanges()
        changes.tags.replace(tags[2], with: renamed)
        _ = try await other.commit(changes)
        await Driver.wait(for: driver) { driver.state.tags[renamed.id]?.name == "precious" }
        driver.type("y")
        #expect(driver.state.tags.contains(renamed.id))
        guard case .confirmation(let question) = driver.state.ui.mode else {
            Issue.record("no question")
            return
        }
        #expect(question.question.contains("precious"))
        driver.type("y")
        #expect(!driver.state.tags.contains(renamed.id))
        driver.type("u")
        await driver.store.flush()
        driver.type("d d")
        try await delete(tags: [renamed], in: other, shownBy: driver)
        driver.type("y")
        #expect(driver.state.ui.toast?.text.contains("deleted by another process") == true)
    }

    @Test(
        "a tag that another process renames while its deletion waits stays on its items",
        arguments: [false, true])
    func renamedWhileDeleted(isInFlight: Bool) async throws {
        let driver = await Driver(over: try open(.sqlite))
        driver.type("A 'ice' Enter t 'cold' Enter h j j")
        await driver.store.flush()
        let tag = try #require(driver.state.tags.values.first)
        #expect(driver.state.shownTag?.id == tag.id)
        let other = try open(.sqlite)
        var renamed = tag
        renamed.name = "cool"
        var changes = StorageChanges()
        changes.tags.replace(tag, with: renamed)
        if isInFlight { _ = try await other.commit(changes) }
        driver.type("d d y")
        #expect(driver.state.tags.values == [])
        if !isInFlight { _ = try await other.commit(changes) }
        await driver.store.flush()
        await Driver.wait(for: driver) { driver.state.tags[tag.id]?.name == "cool" }
        await driver.store.flush()
        #expect(driver.state.items.values.map(\.tags) == [[tag.id]])
        #expect(try await other.loadItems(after: nil, limit: 9).map(\.tags) == [[tag.id]])
        #expect(driver.state.ui.toast?.text == "Not deleted; changed by another process: “cool”")
    }

    /// Renames the only item in `storage` and waits until `driver` knows.
    private func rename(
        to name: String, in storage: any ListStorage, shownBy driver: Driver
    ) async throws {
        let item = try #require(try await storage.loadItems(after: nil, limit: 1).first)
        var renamed = item
        renamed.name = name
        var changes = StorageChanges()
        changes.items.replace(item, with: renamed)
        _ = try await storage.commit(changes)
        await Driver.wait(for: driver) { driver.state.items.first?.name == name }
        #expect(driver.state.items.first?.name == name)
    }

    @Test(
        "a list whose file is gone is not said to be saved, and is once it is back",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases)
    func fileGone(_ backend: StoreURL.Backend) async throws {
        let driver = await Driver(over: try open(backend))
        driver.type("A 'ice' Enter")
        await driver.store.flush()
        let other = await Driver(over: try open(backend))
        let path = folder.file("list.\(backend.rawValue)")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        await Driver.wait(for: driver, other) {
            driver.state.saving.phase == .failing && other.state.saving.phase == .failing
        }
        #expect(driver.state.saving.uncommitted == 0)
        other.type("q")
        await other.store.settled()
        #expect(other.state.leaving.exit?.status == 74)
        #expect(other.state.leaving.exit?.message?.contains("deleted, moved or replaced") == true)
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        await Driver.wait(for: driver) {
            await driver.store.flush()
            return driver.state.saving.phase == .saved
        }
        #expect(driver.names == ["ice"])
    }

    @Test(
        "a commit that failed and is found in the list all the same is saved",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases)
    func failedAndThere(_ backend: StoreURL.Backend) async throws {
        let storage = try open(backend)
        let driver = await Driver(
            over: LateFailure(storage, beside: try open(backend)))
        driver.type("A 'ice' Enter")
        await driver.store.flush()
        #expect(driver.state.saving.counters.failures == 1)
        await Driver.wait(for: driver) { driver.state.saving.uncommitted == 0 }
        #expect(driver.state.saving.phase == .saved)
        #expect(driver.state.saving.failure == nil)
        #expect(try await storage.itemCount() == 1)
    }

    @Test(
        "two screens that edit one list at random end equal, with all that nobody deleted",
        .timeLimit(.minutes(1)), arguments: StoreURL.Backend.allCases, [1, 2, 3] as [UInt64])
    func random(_ backend: StoreURL.Backend, seed: UInt64) async throws {
        try await editAtRandom(backend, seed: seed)
    }

    @Test(
        "so do two hundred pairs of screens", .enabled(if: Torture.isOn),
        .timeLimit(.minutes(30)), arguments: StoreURL.Backend.allCases)
    func manyRandom(_ backend: StoreURL.Backend) async throws {
        for seed in 1...200 as ClosedRange<UInt64> { try await editAtRandom(backend, seed: seed) }
    }

    /// The names, and the texts that yielded to another.
    private func texts(_ state: AppState) -> Set<String> {
        state.items.reduce(into: []) { texts, item in
            texts.insert(item.name)
            for line in item.note.split(separator: "\n") {
                texts.insert(String(line.trimmingPrefix("was: ")))
            }
        }
    }

    private func editAtRandom(_ backend: StoreURL.Backend, seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let drivers = [
            await Driver(over: try open(backend, in: folder), idsFrom: 1_000),
            await Driver(over: try open(backend, in: folder), idsFrom: 5_000),
        ]
        var generator = SplitMix64(seed: seed)
        var added: Set<Item.ID> = []
        var deleted: Set<Item.ID> = []
        // Typed texts, and texts that another process replaced or deleted after seeing them.
        var typed: Set<String> = []
        var replaced: Set<String> = []
        for step in 0..<80 {
            let driver = drivers[Int.random(in: 0...1, using: &generator)]
            driver.type(["j", "k", "g g", "G"].randomElement(using: &generator)!)
            let before = Set(driver.state.items.map(\.id))
            let old = texts(driver.state)
            let adoptions = driver.state.saving.counters.adoptions
            switch Int.random(in: 0..<9, using: &generator) {
            case 0, 1: driver.type("a 'n\(step)' Enter")
            case 2: driver.type("r ^U 'r\(step)' Enter")
            case 3: driver.type("x")
            case 4: driver.type("J")
            case 5: driver.type("t '\(["red", "green"].randomElement(using: &generator)!)' Enter")
            case 6: driver.type("d d")
            case 7: driver.type(["u", "^R"].randomElement(using: &generator)!)
            default: await driver.store.flush()
            }
            let after = Set(driver.state.items.map(\.id))
            added.formUnion(after.subtracting(before))
            deleted.formUnion(before.subtracting(after))
            guard driver.state.saving.counters.adoptions == adoptions else { continue }
            let new = texts(driver.state)
            typed.formUnion(new.subtracting(old))
            replaced.formUnion(old.subtracting(new))
        }
        let reader = try open(backend, in: folder)
        var states: [[Item]] = []
        try await Driver.wait(for: drivers[0], drivers[1]) {
            for driver in drivers {
                await driver.store.flush()
                await driver.store.settled()
            }
            let stored = try await reader.loadItems(after: nil, limit: 1_000)
            states = drivers.map { $0.state.items.values } + [stored]
            return Set(states).count == 1
                && drivers[0].state.tags.values == drivers[1].state.tags.values
                && drivers.allSatisfy { $0.state.saving.uncommitted == 0 }
        }
        #expect(Set(states).count == 1, "seed \(seed)")
        let left = Set(states[0].map(\.id))
        #expect(left.count == states[0].count)
        #expect(left.isSubset(of: added), "seed \(seed)")
        #expect(left.isSuperset(of: added.subtracting(deleted)), "seed \(seed)")
        let lost = typed.subtracting(replaced).subtracting(texts(drivers[0].state))
        #expect(lost.isEmpty, "seed \(seed)")
        #expect(drivers[0].state.tags.values == drivers[1].state.tags.values)
        for driver in drivers {
            let saving = driver.state.saving
            #expect(saving.uncommitted == 0, "seed \(seed): \(saving.pending) \(saving.refused)")
        }
    }
}

/// A storage whose commits fail when all is done, as when the last sync of a folder does.
private struct LateFailure: ListStorage {
    let base: any ListStorage
    let other: any ListStorage

    init(_ base: any ListStorage, beside other: any ListStorage) {
        self.base = base
        self.other = other
    }

    var displayName: String { base.displayName }
    var readOnlyReason: String? { base.readOnlyReason }
    func load<Entity: SmallEntity>(_ kind: Entity.Type) async throws -> [Entity] {
        try await base.load(kind)
    }
    func loadItems(after cursor: ItemPosition?, limit: Int) async throws -> [Item] {
        try await base.loadItems(after: cursor, limit: limit)
    }
    func itemCount() async throws -> Int { try await base.itemCount() }
    func lastItemRank() async throws -> Rank? { try await base.lastItemRank() }
    func commit(_ changes: StorageChanges) async throws -> CommitResult {
        _ = try await other.commit(changes)
        throw StorageError(.io, at: displayName, reason: "disk I/O error")
    }
    func externalChanges(
        known: @Sendable () async -> StorageChanges
    ) async throws -> FetchedChanges<StorageChanges> {
        try await base.externalChanges(known: known)
    }
    func watch(_ body: @escaping @Sendable () -> Void) -> (any StorageWatch)? { base.watch(body) }
    func close() async { await base.close() }
}

extension StoreURL {
    /// Its place, where nothing of a home folder matters.
    var location: FileLocation {
        get throws { try FileLocation(self, environment: [:]) }
    }
}
