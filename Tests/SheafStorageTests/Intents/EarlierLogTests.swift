import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Intent logs of other versions of the program.
@Suite("Logs of earlier and later versions")
struct EarlierLogTests {
    private let lists: ListFolder
    private let url: StoreURL
    private let location: FileLocation

    init() throws {
        lists = try ListFolder()
        url = lists.url(.sqlite)
        location = try FileLocation(url, environment: lists.environment)
    }

    /// Leaves a log of `version`, and returns its path.
    private func leave(version: Int64) async throws -> String {
        var item = Fixtures.item(8, "milk")
        item.note = "2 l"
        let (old, tag) = (Fixtures.item(9, "tea"), Fixtures.tag(1, "home"))
        var changes = StorageChanges(tags: [tag], items: [item])
        changes.items.replace(old, with: Fixtures.item(9, "green tea"))
        try await location.leaveLog(changes)
        let path = try #require(location.logs().first)
        try Shell.run("PRAGMA user_version = \(version)", on: path)
        return path
    }

    @Test(
        "an earlier one is refused with a sentence and stays, and doctor prints its texts",
        arguments: [1, IntentDatabase.version - 1])
    func earlier(version: Int64) async throws {
        try await lists.commit(StorageChanges(items: [Fixtures.item(1)]), to: url)
        let path = try await leave(version: version)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let list = try await location.open(.readWrite)
        await list.storage.close()
        #expect(
            list.notice
                == "Not recovered: \(path): an earlier version of the program wrote this intent log."
                + " 'sheaf doctor' prints what it holds.")
        #expect(try await lists.items(of: url).count == 1)
        #expect(await storageError { try AbandonedLog.named(path) }?.code == .older)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        let finding = try #require(
            Doctor.examine(url, environment: lists.environment).findings
                .first { $0.text.hasPrefix("intent log: \(path)") })
        #expect(finding.severity == .warning)
        #expect(finding.details == ["tags: “home”", "items: “milk” “2 l”", "items: “green tea”"])
        #expect(finding.advice == "Enter again what the list lacks, then remove the file.")
    }

    @Test("a later one is refused and stays, and its texts are not guessed at")
    func later() async throws {
        try await lists.commit(StorageChanges(items: [Fixtures.item(1)]), to: url)
        let path = try await leave(version: IntentDatabase.version + 1)
        let left = AbandonedLogs(for: location)
        #expect(left.count == 0)
        #expect(left.content.unreadable.map(\.code) == [.newer])
        let finding = try #require(
            Doctor.examine(url, environment: lists.environment).findings
                .first { $0.text.hasPrefix("intent log: \(path)") })
        #expect(finding.details.isEmpty)
        #expect(access(path, F_OK) == 0)
    }
}
