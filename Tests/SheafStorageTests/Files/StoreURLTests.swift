import Foundation
import Testing

@testable import SheafStorage

@Suite("Store URLs")
struct StoreURLTests {
    @Test(
        "a path stands for itself",
        arguments: [
            ("list.sqlite", "list.sqlite"), ("list", "list"), ("./a:b", "./a:b"),
            ("/abs/x.db", "/abs/x.db"),
            ("sqlite:rel/x", "rel/x"), ("sqlite:/abs", "/abs"), ("SQLite:a:b", "a:b"),
            ("sqlite:x.json", "x.json"),
            ("~/x.sqlite", "/home/me/x.sqlite"), ("sqlite:~/x", "/home/me/x"),
            ("~other/x", "~other/x"),
            (" odd name", " odd name"), ("1:2", "1:2"),
        ])
    func paths(_ text: String, _ path: String) throws {
        #expect(try StoreURL(text, home: "/home/me") == StoreURL(.sqlite, path: path))
    }

    @Test(
        "a store of JSON is asked for by its scheme or its extension",
        arguments: [
            ("x.json", "x.json"), ("X.JSON", "X.JSON"), ("json:x", "x"), ("JSON:a:b", "a:b"),
            ("json:x.sqlite", "x.sqlite"), ("~/x.json", "/home/me/x.json"),
            ("json:~/x", "/home/me/x"), ("json:\u{301}x", "\u{301}x"),
        ])
    func json(_ text: String, _ path: String) throws {
        #expect(try StoreURL(text, home: "/home/me") == StoreURL(.json, path: path))
    }

    @Test(
        "what is no store is wrong usage",
        arguments: [
            ("", "no name"), ("~/x", "HOME is not set"),
            ("memory:", "for trying the screen"), ("memory:x", "takes no path"),
            ("mem:", "memory: for the screen"),
            ("sqlite:", "needs the path"), ("json:", "needs the path"),
            ("todo.txt", "import"), ("List.MD", "import"),
            ("https://example.org", "not a kind of store"), ("pg:x", "not a kind of store"),
            ("postgres:x", "list on a server"), ("PostgreSQL://host/db", "list on a server"),
        ])
    func wrong(_ text: String, _ words: String) {
        let error = #expect(throws: StoreURLError.self) { try StoreURL(text) }
        #expect(error?.description.contains(words) == true)
    }

    @Test(
        "what looks like the URL of a server is not repeated: a password may be in it",
        arguments: ["pgsql://me:secret@host/db", "postgres://me:secret@host/db"])
    func secret(_ text: String) {
        let error = #expect(throws: StoreURLError.self) { try StoreURL(text) }
        #expect(error?.description.contains("secret") == false)
    }

    @Test("a URL is described as it can be given again")
    func description() throws {
        #expect(try StoreURL("a b.sqlite").description == "sqlite:a b.sqlite")
        #expect(try StoreURL("a b.json").description == "json:a b.json")
        let url = try StoreURL("~/x", home: "/h")
        #expect(try StoreURL(url.description) == url)
    }

    @Test(
        "the standard store follows the XDG specification",
        arguments: [
            (["XDG_DATA_HOME": "/data", "HOME": "/home/me"], "/data/sheaf/sheaf.sqlite"),
            (
                ["XDG_DATA_HOME": "data", "HOME": "/home/me"],
                "/home/me/.local/share/sheaf/sheaf.sqlite"
            ),
            (
                ["XDG_DATA_HOME": "", "HOME": "/home/me"],
                "/home/me/.local/share/sheaf/sheaf.sqlite"
            ),
            (["HOME": "/home/me"], "/home/me/.local/share/sheaf/sheaf.sqlite"),
            (["HOME": ""], "/passwd/.local/share/sheaf/sheaf.sqlite"),
            ([:], "/passwd/.local/share/sheaf/sheaf.sqlite"),
        ])
    func standard(_ environment: [String: String], _ path: String) throws {
        #expect(
            try StoreURL.standard(environment: environment, passwordHome: "/passwd").path == path)
    }

    @Test("without any home folder there is no standard store")
    func homeless() {
        let error = #expect(throws: StoreURLError.self) {
            try StoreURL.standard(environment: [:], passwordHome: nil)
        }
        #expect(error?.description.contains("--store") == true)
    }

    @Test("the user database knows a home folder")
    func passwordHome() {
        #expect(StoreURL.homeOfUser()?.hasPrefix("/") == true)
    }
}
