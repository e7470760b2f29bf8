import Foundation
import Testing

/// A guide that names what has moved leads nowhere.
@Suite("CONTRIBUTING")
struct ContributingTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL
    private static let folders = ["Sources", "Tests", "Resources", "Benchmarks/Sources"]

    @Test("every path and file that it names exists")
    func paths() throws {
        let text = try String(
            contentsOf: Self.root.appendingPathComponent("CONTRIBUTING.md"), encoding: .utf8)
        let quoted = text.matches(of: /`([^`\n]+)`/).map { String($0.1) }
        let paths = quoted.filter {
            $0.wholeMatch(of: /(Sources|Tests|Resources|Benchmarks)\/\S*/) != nil
        }
        let names = Set(quoted).subtracting(paths)
            .filter { $0.wholeMatch(of: /[\w+\/]+\.(swift|md|sh|py|c|h)/) != nil }
        try #require(paths.count > 20 && names.count > 3)

        let files = try Self.files()
        let missing =
            paths.filter { path in
                !FileManager.default.fileExists(atPath: Self.root.appendingPathComponent(path).path)
            }
            + names.filter { name in !files.contains { "/\($0)".hasSuffix("/\(name)") } }
        #expect(missing.isEmpty)
    }

    /// The paths of all files from the project's own folders, from its root on.
    private static func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.path)
            + folders.flatMap { folder in
                try FileManager.default
                    .subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
                    .map { "\(folder)/\($0)" }
            }
    }
}
