import ArgumentParser
import Foundation
import SheafList
import SheafStorage
import SheafTestSupport
import Testing

@testable import sheaf

@Suite("Completion")
struct CompletionTests {
    private let sheaf: SheafBinary

    init() throws { sheaf = try SheafBinary() }

    /// The words that complete the last of `words`, or nil for names of files.
    private func words(_ words: String...) -> [String]? {
        Completion(of: words, for: Sheaf.self).candidates?.map(\.word)
    }

    /// Makes a list with these rows, and returns its path.
    private func list(_ changes: StorageChanges) async throws -> String {
        let path = sheaf.path("list.sqlite")
        let storage = try StoreURL(.sqlite, path: path).location.openStorage(.readWriteCreate)
        _ = try await storage.commit(changes)
        await storage.close()
        return path
    }

    @Test("commands, options and fixed values are completed")
    func commands() {
        #expect(words("ta") == ["tag"])
        #expect(words("--store", "x", "cou") == ["count"])
        #expect(words("help", "tag", "re") == ["remove", "rename", "recolor"])
        #expect(words("tag", "re") == ["remove", "rename", "recolor"])
        #expect(words("list", "--re") == ["--reverse"])
        #expect(words("list", "--reverse", "--re") == [])
        #expect(words("list", "--sort", "d") == ["done", "due"])
        #expect(words("list", "--format=js") == ["--format=json"])
        #expect(words("add", "x", "--due", "tom") == ["tomorrow"])
        #expect(words("share", "invite", "anna", "w") == ["write"])
        #expect(words("").map { $0.contains("add") && !$0.contains("complete") } == true)
        #expect(words("nonsense", "") == [])
        #expect(words("list", "--nonsense", "") == [])
        #expect(words() == words(""))
    }

    @Test("a file, or the store, is a name of a file")
    func files() {
        for typed in [
            ["import", ""], ["--store", ""], ["list", "--store="], ["copy", "a", "b"],
        ] {
            #expect(Completion(of: typed, for: Sheaf.self).candidates == nil, "\(typed)")
        }
    }

    @Test("every argument of every command is known to completion")
    func arguments() throws {
        func check(_ command: any ParsableCommand.Type) throws {
            for argument in try CommandHelp(of: command).arguments ?? []
            where argument.kind != .flag && argument.allValues == nil {
                let name = argument.valueName ?? ""
                #expect(
                    name == "other" || Completion.Kind(valueName: name) != nil,
                    "\(command): \(name)")
            }
            for command in command.configuration.subcommands
            where command.configuration.shouldDisplay {
                try check(command)
            }
        }
        try check(Sheaf.self)
    }

    @Test("ids, tags, views and queries come from the list of --store")
    func rows() async throws {
        var changes = StorageChanges(
            tags: [
                Fixtures.tag(1, "Book"), Fixtures.tag(2, "+garden"), Fixtures.tag(3, "two words"),
            ],
            views: [Fixtures.view(1, "Later on", query: "-is:done")],
            items: [Fixtures.item(1, "one"), Fixtures.item(2, "two\u{1B}[31m")])
        changes.items.upsert(Fixtures.item(3, "three"))
        let path = try await list(changes)
        let ids = [1, 2, 3].map { Fixtures.item($0, "").id.uuidString.lowercased() }

        #expect(words("done", "--store", path, "") == ids)
        #expect(words("done", "--store", path, String(ids[0].prefix(2))) == ids)
        #expect(words("move", "--store", path, ids[0], "--before", ids[1]) == [ids[1]])
        #expect(words("done", "--store", path, ids[0], "") == Array(ids.dropFirst()))
        #expect(words("done", "--store", path, "xyz") == [])
        let shown = Completion(of: ["show", "--store", path, ids[1]], for: Sheaf.self).candidates
        #expect(shown?.map(\.text).contains { $0.contains("\u{1B}") } == false)
        #expect(shown?.first?.text.hasPrefix("two") == true)

        #expect(words("tag", "add", "--store", path, "bo") == ["Book"])
        #expect(words("tag", "add", "--store", path, "#b") == ["#Book"])
        #expect(words("tag", "add", "--store", path, "Book", String(ids[2])) == [ids[2]])
        #expect(words("--store=\(path)", "list", "--view", "la") == ["Later on"])
        #expect(words("view", "move", "--store", path, "Later on", "--after", "") == [])
        #expect(words("list", "--store", path, "is:d") == ["is:done"])
        #expect(words("list", "--store", path, "-is:d") == ["-is:done"])
        #expect(words("list", "--store", path, "is:open +g") == ["is:open +garden"])
        #expect(words("done", "--store", path, "--where", "#bo") == ["#Book"])
        #expect(words("list", "--store", path, "").map { $0.contains("+garden") } == true)
        #expect(words("list", "--store", path, "--", "--st") == [])
    }

    @Test("at most 200 candidates are offered, and none that a terminal would obey")
    func limit() async throws {
        let items = (1...300).map { Fixtures.item($0, "item \($0)") }
        let tags = [Fixtures.tag(1, "bell\u{7}"), Fixtures.tag(2, "bread")]
        let path = try await list(StorageChanges(tags: tags, items: items))
        #expect(words("done", "--store", path, "")?.count == 200)
        #expect(words("tag", "delete", "--store", path, "b") == ["bread"])
    }

    @Test("queries are completed without a list, and nothing is made or changed")
    func readsOnly() async throws {
        let path = try await list(StorageChanges(items: [Fixtures.item(1, "one")]))
        try sheaf.write("no list", to: "broken.sqlite")
        try sheaf.write("{", to: "broken.json")
        mkfifo(sheaf.path("fifo.sqlite"), 0o600)
        let before = try contents()
        for store in [
            path, sheaf.path("missing.sqlite"), sheaf.path("no/folder.json"),
            sheaf.path("broken.sqlite"), sheaf.path("broken.json"), sheaf.path("fifo.sqlite"),
            sheaf.folder.path, "memory:", "postgresql://anna@127.0.0.1:1/lists?list=home", "http:x",
        ] {
            #expect(words("list", "--store", store, "is:d") == ["is:done"], "\(store)")
            for typed in [["done", ""], ["tag", "delete", ""], ["list", "--view", ""]] {
                let result = try await sheaf.run(["complete", "--"] + ["--store", store] + typed)
                #expect(result.status == 0 && result.errors.isEmpty, "\(store): \(result)")
            }
        }
        #expect(try contents() == before)
    }

    @Test("an older list, one in WAL mode and the log of a killed screen stay as they are")
    func leavesOthers() async throws {
        let path = try await list(StorageChanges(items: [Fixtures.item(1, "one")]))
        try await StoreURL(.sqlite, path: path).location
            .leaveLog(StorageChanges(items: [Fixtures.item(2, "two")]))
        var before = try contents()
        try #require(before.count > 1)
        let complete = ["complete", "--", "done", "--store", path, ""]
        let result = try await sheaf.run(complete)
        #expect(result.output.hasSuffix("\tone\n") && result.errors.isEmpty, "\(result)")
        #expect(try contents() == before)

        for pragma in ["journal_mode = WAL", "journal_mode = DELETE; PRAGMA user_version = 1"] {
            _ = try await sheaf.shell("sqlite3 '\(path)' 'PRAGMA \(pragma)'")
            before = try contents()
            let result = try await sheaf.run(complete)
            #expect(
                result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result)")
            #expect(try contents() == before, "\(pragma)")
        }
    }

    /// The files below the folder, with their contents.
    private func contents() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: sheaf.folder.path)
        where path != "fifo.sqlite" {
            files[path] = FileManager.default.contents(atPath: sheaf.path(path)) ?? Data()
        }
        return files
    }

    @Test("the script of bash puts words together that bash divides")
    func bash() async throws {
        let path = try await list(
            StorageChanges(tags: [Fixtures.tag(1, "@phone")]))
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Resources/completions/sheaf.bash").path
        for (pieces, line, completed) in [
            ("ta", "ta", "tag"), ("list is : d", "list is:d", "done"),
            ("list is :", "list is:", "done"), ("list @ ph", "list @ph", "@phone"),
            ("list --sort = du", "list --sort=du", "due"),
            (#"list '"is:d'"#, #"list "is:d"#, "is:done"), (#"list -is : d"#, "list -is:d", "done"),
        ] {
            let result = try await sheaf.shell(
                """
                bash -c 'source "\(script)"; COMP_WORDBREAKS=" \\"@><=;|&(:"
                COMP_WORDS=("$SHEAF" --store "\(path)" \(pieces.replacing("'", with: "'\\''")))
                COMP_LINE="$SHEAF --store \(path) $1"; COMP_POINT=${#COMP_LINE}
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_TYPE=9; _sheaf
                printf "%s\\n" "${COMPREPLY[@]}"' bash '\(line)' 2>/dev/null
                """)
            #expect(
                result.output.split(separator: "\n").contains {
                    $0.split(separator: " ")[0] == completed
                }, "\(line): \(result)")
        }
    }
}
