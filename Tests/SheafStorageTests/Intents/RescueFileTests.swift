import Foundation
import SheafList
import SheafTestSupport
import Testing

@testable import SheafStorage

/// Files of an earlier version with changes that it could not save.
@Suite("Rescue files")
struct RescueFileTests {
    private let lists: ListFolder
    private let url: StoreURL
    private let location: FileLocation

    init() throws {
        lists = try ListFolder()
        url = lists.url(.json)
        location = try FileLocation(url, environment: lists.environment)
    }

    /// Writes one of the list, and returns its path.
    private func write(_ text: String, number: Int = 1) throws -> String {
        let folder = try #require(location.state)
        let name = "rescue-\(location.key)-\(number).json"
        try folder.write(Array(text.utf8), to: name)
        return "\(folder.path)/\(name)"
    }

    private let text = """
        {"format":"sheaf-rescue","version":1,"list":"json:/list.json","tags":[{"name":"home"}],\
        "items":[{"name":"milk","rank":"a1","note":"2 l","doneAt":1}],"itemBases":[{"name":"old"}],\
        "deletedItems":["00000000-0000-4000-8000-000000000002"]}
        """

    @Test("it is named by doctor with its texts, and stays")
    func named() async throws {
        try await lists.make(url)
        let path = try write(text)
        let finding = try #require(
            Doctor.examine(url, environment: lists.environment).findings
                .first { $0.text.contains(path) })
        #expect(finding.severity == .warning)
        #expect(finding.details == ["tags: “home”", "items: “milk” “2 l”"])
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test("one that is damaged is shown as it is")
    func damaged() async throws {
        try await lists.make(url)
        let path = try write("{\"format\":\"sheaf-rescue\",\"items\"")
        let finding = try #require(
            Doctor.examine(url, environment: lists.environment).findings
                .first { $0.text.contains(path) })
        #expect(finding.details == ["{\"format\":\"sheaf-rescue\",\"items\""])
    }

    @Test("it is refused, whatever it holds", arguments: ["", ",", ",\"version\":9}"])
    func refused(rest: String) throws {
        let path = try write("{\"format\":\"sheaf-rescue\"" + rest)
        let error = #expect(throws: StorageError.self) { try AbandonedLog.named(path) }
        #expect(error?.code == .older)
    }

    @Test("a link that takes the list's place later does not make it another list's")
    func linkLater() async throws {
        try await lists.make(url)
        #expect(rename(url.path, lists.folder.file("away")) == 0)
        #expect(symlink("/dev/null", url.path) == 0)
        let path = try write(text)
        #expect(rename(lists.folder.file("away"), url.path) == 0)
        #expect(location.rescueFiles() == [path])
    }
}
