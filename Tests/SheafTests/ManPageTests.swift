import Foundation
import Testing

@Suite("Man pages")
struct ManPageTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Resources/man").standardizedFileURL

    @Test("the pages in Resources are those of the commands and the keymap")
    func pages() throws {
        let pages = try ManPages.all()
        let files = FileManager.default
        if ProcessInfo.processInfo.environment["SHEAF_RECORD"] != nil {
            if files.fileExists(atPath: Self.folder.path) { try files.removeItem(at: Self.folder) }
            try files.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            for page in pages {
                try Data(page.text.utf8).write(to: Self.folder.appendingPathComponent(page.file))
            }
        }
        let names = try files.contentsOfDirectory(atPath: Self.folder.path)
        #expect(names.sorted() == pages.map(\.file).sorted(), "`make man` writes them")
        for page in pages {
            let text = try String(
                contentsOf: Self.folder.appendingPathComponent(page.file), encoding: .utf8)
            #expect(text == page.text, "\(page.file): `make man` writes it")
        }
    }

    @Test("every command has a page, and every page that another names exists")
    func references() throws {
        let pages = try ManPages.all()
        #expect(pages.count > 20)
        for page in pages {
            #expect(
                !page.text.contains("PAGE:") && !page.text.contains("sheaf help "), "\(page.file)")
            for match in page.text.matches(of: /\\fB(sheaf[a-z\\-]*)\\fR\((\d)\)/) {
                let name = match.1.replacing("\\", with: "") + ".\(match.2)"
                #expect(pages.contains { $0.file == name }, "\(page.file): \(name)")
            }
        }
    }
}
