import Foundation
import Testing

/// The papers about the code: their names, links and tables.
@Suite("Papers")
struct PaperTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL
    private static let folders = ["Sources", "Tests", "Resources", "Benchmarks"]

    /// The papers that name files and declarations of the code.
    private static func papers() throws -> [String] {
        let decisions = try contents(of: "Resources/decisions").map { "Resources/decisions/\($0)" }
        return ["ARCHITECTURE.md", "CONTRIBUTING.md", "RELIABILITY.md"] + decisions
    }

    /// All pages that are read as Markdown.
    private static func pages() throws -> [String] {
        let guide = try contents(of: "Resources/guide").map { "Resources/guide/\($0)" }
        return try papers() + guide + [
            "README.md", "CHANGELOG.md", "Benchmarks/RESULTS.md", "Resources/postgresql.md",
            "Tests/SheafTUITests/Scripts/README.md",
        ]
    }

    @Test("every file, folder and declaration that a paper names exists")
    func names() throws {
        let files = try Self.files()
        let code = try files.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".h") }
            .filter { !$0.hasSuffix("/PaperTests.swift") }.map(Self.text).joined(separator: "\n")
        let folders = files.flatMap { $0.split(separator: "/").dropLast().map(String.init) }
        let words = Set(Self.words(in: code) + folders)
        var count = 0
        for paper in try Self.papers() {
            let spans = try Self.text(of: paper).matches(of: /`([^`\n]+)`/).map { $0.output.1 }
            for word in spans.flatMap({ $0.split(separator: " ") }).map(String.init) {
                let exists: Bool
                if word.contains(/^(Sources|Tests|Resources|Benchmarks)\//) {
                    exists = FileManager.default.fileExists(
                        atPath: Self.root.appendingPathComponent(word).path)
                } else if word.contains(/^[\w+]+\.(swift|md|sh|py|c|h)$/) {
                    exists = files.contains { "/\($0)".hasSuffix("/\(word)") }
                } else {
                    // The names of types and members, such as `.saving(.statusChanged)`.
                    let names = word.matches(of: /\w*[a-z][A-Z]\w*/).map { String($0.output) }
                    exists = names.allSatisfy(words.contains)
                }
                #expect(exists, "\(paper): \(word)")
                count += 1
            }
        }
        #expect(count > 150)
    }

    @Test("ARCHITECTURE names every folder of the sources")
    func sourceFolders() throws {
        let text = try Self.text(of: "ARCHITECTURE.md")
        for target in try Self.contents(of: "Sources") {
            #expect(text.contains("`Sources/\(target)`") || text.contains("`\(target)`"))
            let folders = try Self.contents(of: "Sources/\(target)")
                .filter { !$0.contains(".") && $0 != "include" }
            guard !folders.isEmpty else { continue }
            let start = try #require(text.range(of: "| `Sources/\(target)` |"), "\(target)")
            let table = text[start.upperBound...].components(separatedBy: "\n\n")[0]
            for folder in folders {
                #expect(table.contains("| `\(folder)` |"), "Sources/\(target)/\(folder)")
            }
        }
    }

    @Test("RELIABILITY has a row for each promise")
    func promises() throws {
        let text = try Self.text(of: "RELIABILITY.md")
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| R") }
        let numbers = rows.flatMap { row -> [Int] in
            let cell = row.split(separator: "|")[0].matches(of: /\d+/).compactMap { Int($0.output) }
            return cell.count == 2 ? Array(cell[0]...cell[1]) : cell
        }
        #expect(numbers == Array(1...27) + [29, 30, 31])
    }

    @Test("the rows of a table have as many cells as its heading", arguments: try pages())
    func tables(page: String) throws {
        var heading: Int?
        var isCode = false
        for (index, line) in try Self.text(of: page).components(separatedBy: "\n").enumerated() {
            if line.hasPrefix("```") { isCode.toggle() }
            guard !isCode, line.hasPrefix("|") else {
                heading = nil
                continue
            }
            let cells = line.replacing("\\|", with: "").count { $0 == "|" }
            #expect(line.hasSuffix("|"), "\(page):\(index + 1)")
            #expect(cells == heading ?? cells, "\(page):\(index + 1)")
            heading = cells
        }
    }

    @Test("links lead to files and headings", arguments: try pages())
    func links(page: String) throws {
        let folder = Self.root.appendingPathComponent(page).deletingLastPathComponent()
        let text = try Self.text(of: page)
        for link in text.matches(of: /\]\(([^)#\s]*)(?:#([^)\s]+))?\)/) {
            let path = String(link.output.1)
            guard !path.hasPrefix("https:") else { continue }
            let file = folder.appendingPathComponent(path).standardizedFileURL
            let target = path.isEmpty ? text : try? String(contentsOf: file, encoding: .utf8)
            let exists = target != nil || FileManager.default.fileExists(atPath: file.path)
            #expect(exists, "\(page): \(path)")
            guard let anchor = link.output.2 else { continue }
            let anchors = (target ?? "").split(separator: "\n").filter { $0.hasPrefix("#") }
                .map { Self.anchor(of: $0) }
            #expect(anchors.contains(String(anchor)), "\(page): \(path)#\(anchor)")
        }
    }

    @Test(
        "a paper is short",
        arguments: [("ARCHITECTURE.md", 180), ("CONTRIBUTING.md", 150), ("RELIABILITY.md", 120)])
    func length(paper: String, most: Int) throws {
        #expect(try Self.text(of: paper).count { $0 == "\n" } <= most)
    }

    /// The runs of ASCII letters, digits and underscores.
    private static func words(in text: String) -> [String] {
        let isInWord = (0...255).map { (byte: UInt8) in
            let character = Character(UnicodeScalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber || character == "_")
        }
        return text.utf8.split { !isInWord[Int($0)] }.compactMap { String($0) }
    }

    /// The name by which a link leads to a heading: letters and digits, with hyphens for spaces.
    private static func anchor(of heading: Substring) -> String {
        heading.drop { $0 == "#" || $0 == " " }.lowercased()
            .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
            .replacing(" ", with: "-")
    }

    private static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static func contents(of folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(folder).path
        ).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// The paths of all files, from the root of the project on.
    private static func files() throws -> [String] {
        try contents(of: ".")
            + folders.flatMap { folder in
                try FileManager.default
                    .subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
                    .filter { !$0.contains(".build") }.map { "\(folder)/\($0)" }
            }
    }
}
