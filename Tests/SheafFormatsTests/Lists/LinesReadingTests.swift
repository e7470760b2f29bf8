import Foundation
import Testing

@testable import SheafFormats

@Suite("Reading lines")
struct LinesReadingTests {
    private func lines(_ text: String) throws -> [String] {
        try ListFormat.lines.read(Data(text.utf8)).items.map(\.name)
    }

    private func error(_ format: ListFormat, _ bytes: some Sequence<UInt8>) -> String? {
        do {
            _ = try format.read(Data(bytes))
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "a format is guessed from a file's name, or not at all",
        arguments: [
            ("list.json", ListFormat.json), ("/a/b.TXT", .lines), ("notes.txt", .lines),
            ("done.json", .json),
            ("todo.txt", .todotxt), ("my-Todo.txt", .todotxt), ("a/done.txt", .todotxt),
            ("x.md", .markdown), ("X.MARKDOWN", .markdown), ("md", nil),
            ("x", nil), ("", nil), ("-", nil), ("undone.txt", .lines),
        ])
    func guess(_ name: String, _ format: ListFormat?) {
        #expect(ListFormat(fileName: name) == format)
    }

    @Test("every line is a name, exactly")
    func plainLines() throws {
        #expect(try lines("one\n two \n\ttab\nlast") == ["one", " two ", "\ttab", "last"])
        #expect(try lines("one\r\ntwo\r\n") == ["one", "two"])
        #expect(try lines("\u{FEFF}one\n\n \n\t\r\n\u{FEFF}two\n") == ["one", "\u{FEFF}two"])
        #expect(try lines("a\rb\nc\r\r\n") == ["a\rb", "c\r"])
        #expect(try lines("nul\0\n\u{1B}[31m\n") == ["nul\0", "\u{1B}[31m"])
        #expect(try lines("").isEmpty)
        #expect(try lines("\n\n").isEmpty)
        #expect(try lines("\u{FEFF}").isEmpty)
    }

    @Test("a line that is not UTF-8 is named")
    func invalidLines() {
        #expect(error(.lines, Array("a\n\nb".utf8) + [0xFF, 0x0A]) == "line 3: not valid UTF-8")
        #expect(error(.lines, [0xC3]) == "line 1: not valid UTF-8")
        #expect(error(.lines, [0xED, 0xA0, 0x80]) == "line 1: not valid UTF-8")
        #expect(error(.lines, [0xFF, 0xFE, 0x61, 0x00])?.contains("iconv -f UTF-16") == true)
    }
}
