import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// The changes of an intent log that the list refuses when a command commits them.
@Suite("Intent logs that the list refuses")
struct RefusedLogTests {
    private let lists: ListFolder
    private let url: StoreURL
    private let location: FileLocation

    init() throws {
        lists = try ListFolder()
        url = lists.url(.sqlite)
        location = try FileLocation(url, environment: lists.environment)
    }

    private func leave(_ changes: StorageChanges) async throws {
        try await location.leaveLog(changes)
        // The names of logs have milliseconds.
        let end = Timestamp.now
        while Timestamp.now == end {}
    }

    /// Opens the list as a command does, and returns its message.
    private func command() async throws -> String? {
        let list = try await location.open(.readWrite)
        await list.storage.close()
        return list.notice
    }

    private func restore(_ path: String) async throws -> AbandonedOutcome {
        nonisolated(unsafe) let file = try #require(try AbandonedLog.named(path))
        let storage = try location.openStorage(.readWrite)
        let outcome = try await file.adopt(to: storage)
        await storage.close()
        return outcome
    }

    private func logs() -> [String] { location.logs() }

    @Test("it stays alone in one log, is said once, and taken in once its cause is gone")
    func kept() async throws {
        try await lists.commit(StorageChanges(items: [Fixtures.item(1)]), to: url)
        try Shell.require("name <> 'bad'", of: "items", orSay: "not today", on: url.path)
        try await leave(StorageChanges(items: [Fixtures.item(8, "bad"), Fixtures.item(9)]))
        try await leave(StorageChanges(items: [Fixtures.item(10)]))
        let said = try #require(try await command())
        let path = try #require(logs().first)
        #expect(logs().count == 1)
        #expect(said.hasPrefix("Recovered 2 unsaved changes of an interrupted session, but not "))
        #expect(said.hasSuffix("; to try it again: sheaf restore \(ShellText.quoted(path))"))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(try await command() == nil)
        #expect(try await command() == nil)
        #expect(logs() == [path])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        let finding = try #require(
            Doctor.examine(url, environment: lists.environment).findings
                .first { $0.text.hasPrefix("not saved: 1 change") })
        #expect(finding.advice?.hasSuffix("sheaf restore \(ShellText.quoted(path))") == true)
        #expect(finding.details.contains { $0.contains("not today") })
        #expect(try await restore(path).lost.map(\.id) == [AnyID(Fixtures.itemID(8))])
        #expect(try await command() == nil)
        try Shell.requireNothing(of: "items", on: url.path)
        #expect(try await command() == nil, "nobody has asked for it")
        #expect(try await restore(path).lost.isEmpty)
        #expect(logs().isEmpty)
        #expect(try await lists.items(of: url).count == 4)
    }

    @Test("what is left later is committed, and what was refused before stays as it is")
    func later() async throws {
        try await lists.commit(StorageChanges(items: [Fixtures.item(1)]), to: url)
        try Shell.require("name <> 'bad'", of: "items", orSay: "not today", on: url.path)
        try await leave(StorageChanges(items: [Fixtures.item(8, "bad")]))
        #expect(try await command() != nil)
        let refused = logs()
        try await leave(StorageChanges(items: [Fixtures.item(9)]))
        #expect(
            try await command() == "Recovered 1 unsaved change of an interrupted session")
        #expect(logs() == refused)
        try await leave(StorageChanges(items: [Fixtures.item(7, "bad")]))
        #expect(try await command()?.contains("not today") == true)
        #expect(logs().count == 2)
        #expect(AbandonedLogs(for: location).count == 2)
    }

    @Test("an item gets its new tag once that is taken in, and keeps what was edited meanwhile")
    func refusedNewTag() async throws {
        try await lists.commit(StorageChanges(tags: [Fixtures.tag(1, "one")]), to: url)
        try Shell.require("name = 'one'", of: "tags", orSay: "not today", on: url.path)
        let (new, twin) = (Fixtures.tag(2, "new"), Fixtures.tag(3, "ONE"))
        let item = Fixtures.item(9, tags: [new.id, twin.id])
        try await leave(StorageChanges(tags: [new, twin], items: [item, Fixtures.item(10)]))
        let path = try #require(logs().first)
        let first = try await restore(path)
        #expect(first.lost.map(\.id) == [AnyID(new.id)])
        #expect(first.obstacle == nil)
        #expect(try await lists.items(of: url).map(\.tags) == [[Fixtures.tagID(1)], []])
        try await lists.commit(
            StorageChanges(
                items: [Fixtures.item(9, "edited", tags: [Fixtures.tagID(1)])],
                deletingItems: [Fixtures.itemID(10)]), to: url)
        try Shell.requireNothing(of: "tags", on: url.path)
        #expect(try await restore(path).lost.isEmpty)
        #expect(access(path, F_OK) != 0)
        let items = try await lists.items(of: url)
        #expect(items.map(\.name) == ["edited"])
        #expect(items.first?.tags == [Fixtures.tagID(1), new.id])
    }

    @Test("a refused item is kept with the tag that stands in for its own")
    func refusedItem() async throws {
        try await lists.commit(StorageChanges(tags: [Fixtures.tag(1, "one")]), to: url)
        try Shell.require("name = ''", of: "items", orSay: "not today", on: url.path)
        let twin = Fixtures.tag(3, "ONE")
        try await leave(
            StorageChanges(tags: [twin], items: [Fixtures.item(9, tags: [twin.id])]))
        let path = try #require(logs().first)
        #expect(try await restore(path).lost.map(\.id) == [AnyID(Fixtures.itemID(9))])
        #expect(try AbandonedLog.named(path)?.list == url.description)
        #expect(try AbandonedLog.named(path)?.count == 1)
        try Shell.requireNothing(of: "items", on: url.path)
        #expect(try await restore(path).lost.isEmpty)
        #expect(try await lists.items(of: url).map(\.tags) == [[Fixtures.tagID(1)]])
    }

    @Test("a log that cannot be removed is told of, and one that is gone already is not")
    func removal() async throws {
        try await lists.commit(StorageChanges(items: [Fixtures.item(1)]), to: url)
        for plantsFolder in [true, false] {
            try await leave(StorageChanges(items: [Fixtures.item(9)]))
            let path = try #require(logs().first)
            nonisolated(unsafe) let log = try #require(try AbandonedLog.named(path))
            #expect(unlink(path) == 0)
            if plantsFolder { #expect(mkdir(path, 0o700) == 0) }
            let storage = try location.openStorage(.readWrite)
            let outcome = try await log.adopt(to: storage)
            await storage.close()
            #expect((outcome.obstacle != nil) == plantsFolder)
        }
        #expect(try await lists.items(of: url).count == 2)
    }

    @Test("the next session on the screen has it pending again")
    func onTheScreen() async throws {
        try await lists.commit(StorageChanges(items: [Fixtures.item(1)]), to: url)
        try Shell.require("name <> 'bad'", of: "items", orSay: "not today", on: url.path)
        let bad = StorageChanges(items: [Fixtures.item(8, "bad")])
        try await leave(bad)
        #expect(try await command() != nil)
        try await Self.adopt(bad, of: location)
        #expect(logs().count == 1)
        #expect(AbandonedLogs(for: location).content.batches == [bad])
    }

    @MainActor
    private static func adopt(_ bad: StorageChanges, of location: FileLocation) async throws {
        let log = try location.newLog()
        let abandoned = await log.abandoned()
        #expect(abandoned.batches == [bad])
        log.adopt { #expect(throws: Never.self) { try log.append(bad) } }
        #expect(AbandonedLogs(for: location).count == 0, "its owner lives")
        log.close()
    }
}
