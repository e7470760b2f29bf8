import Foundation
import Testing

@testable import SheafFormats

/// The lists that come with the program.
@Suite("Sample lists")
struct SampleListTests {
    private func sample(_ name: String) throws -> String {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Resources/samples/\(name)").standardizedFileURL
        return try #require(String(validating: try Data(contentsOf: url), as: UTF8.self))
    }

    @Test("the todo.txt comes back byte for byte")
    func todo() throws {
        let text = try sample("todo.txt")
        #expect(try RoundTrip.copy(text, .todotxt).utf8.elementsEqual(text.utf8))
        let items = try RoundTrip.list(text, .todotxt).items
        #expect(items.count >= 200)
        let done = items.count { $0.isDone }
        #expect((items.count / 4...items.count / 2).contains(done))
    }

    @Test("the reading list is the same list after an export")
    func reading() throws {
        let text = try sample("reading.md")
        let first = try RoundTrip.list(text, .markdown)
        let copy = try RoundTrip.copy(text, .markdown)
        let second = try RoundTrip.list(copy, .markdown)
        #expect(first.items.count >= 60)
        #expect(first.items.contains { $0.note.contains("\n\n") })
        #expect(
            first.items.map { RoundTrip.content($0, tags: first.tags) }
                == second.items.map { RoundTrip.content($0, tags: second.tags) })
        // Only its title.
        #expect(try ListFormat.markdown.parse(Data(text.utf8)).skippedText.map(\.line) == [1])
    }
}
