import Foundation
import Testing

@Suite("Articles") struct ArticleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func articles() throws -> [URL] {
        try ["Swidux", "SwiduxJSON", "SwiduxTesting"].flatMap { target in
            try files(in: root.appending(path: "Sources/\(target)/\(target).docc"), ending: "md")
        }
    }

    private static func files(in folder: URL, ending suffix: String) throws -> [URL] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return names.filter { $0.hasSuffix(".\(suffix)") }.sorted().map {
            folder.appending(path: $0)
        }
    }

    /// Where the samples of an article are compiled: in this folder or, if they are Sheaf's, there.
    private static func folders(ofSamplesIn article: URL) -> [URL] {
        guard article.lastPathComponent == "HowSheafDoesIt.md" else {
            return [URL(fileURLWithPath: #filePath).deletingLastPathComponent()]
        }
        return ["App", "Features", "State"].map { root.appending(path: "Sources/SheafApp/\($0)") }
    }

    /// The lines of a text without indentation and blank ones, each ended.
    private func normalized(_ text: some StringProtocol) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }.map { $0 + "\n" }.joined()
    }

    @Test(
        "every code block of an article stands in a file that is compiled",
        arguments: try ArticleTests.articles())
    func blocks(article: URL) throws {
        let sources = try Self.folders(ofSamplesIn: article).flatMap { folder in
            try Self.files(in: folder, ending: "swift").map {
                try "\n" + normalized(String(contentsOf: $0, encoding: .utf8))
            }
        }
        let parts = try String(contentsOf: article, encoding: .utf8).components(
            separatedBy: "```swift\n")
        // The first pages of the two modules are lists of links.
        let isFirstPage = article.lastPathComponent.hasPrefix("Swidux")
        #expect(parts.count > 1 || isFirstPage)
        for part in parts.dropFirst() {
            let block = try #require(part.components(separatedBy: "```").first)
            let isCompiled = sources.contains { $0.contains("\n" + normalized(block)) }
            #expect(isCompiled, "in no file:\n\(block)")
        }
    }

    @Test("the small app is shown as it is, from its first line to its last")
    func smallApp() throws {
        let app = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appending(path: "TodoApp.swift"), encoding: .utf8)
        let article = try String(
            contentsOf: Self.root.appending(path: "Sources/Swidux/Swidux.docc/SmallApp.md"),
            encoding: .utf8)
        #expect(article.contains("```swift\n\(app)```"))
    }

    @Test("there are articles")
    func existence() throws { #expect(try Self.articles().count >= 15) }
}
