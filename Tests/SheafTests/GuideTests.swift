import Foundation
import Testing

/// The README and the pages of the guide. Blocks marked `sh` are run; blocks marked `console` need
/// a server, a terminal, a network or a build.
@Suite("README and guide")
struct GuideTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL

    /// The paths of the pages, from the root of the project on.
    private static func pages() throws -> [String] {
        let folder = "Resources/guide"
        let names = try FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(folder).path)
        return ["README.md"]
            + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }

    private static func text(of page: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
    }

    @Test("the commands of a page succeed one after the other, from an empty folder on")
    func commands() async throws {
        var count = 0
        for page in try Self.pages() {
            let sheaf = try SheafBinary()
            for block in try Self.text(of: page).matches(of: /(?s)```sh\n(.*?)```/) {
                let result = try await sheaf.shell(
                    "sheaf() { \"$SHEAF\" \"$@\"; }\nset -ex\n\(block.output.1)")
                #expect(result.status == 0, "\(page): \(result.errors)")
                count += 1
            }
        }
        #expect(count > 15)
    }

    @Test("every block with a command says whether it can run")
    func marks() throws {
        for page in try Self.pages() {
            let blocks = try Self.text(of: page).matches(of: /(?s)```([a-z]*)\n(.*?)```/)
            for block in blocks where block.output.2.contains("sheaf ") {
                #expect(["sh", "console", "swift"].contains(block.output.1), "\(page)")
            }
        }
    }

    @Test("the README can be read in two minutes")
    func length() throws {
        #expect(try Self.text(of: "README.md").filter { $0 == "\n" }.count <= 150)
    }
}
