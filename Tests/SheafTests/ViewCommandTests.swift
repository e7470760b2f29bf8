import Foundation
import Testing

/// `sheaf view` and its subcommands, on the built program.
@Suite("View commands")
struct ViewCommandTests {
    let sheaf: SheafBinary

    init() async throws {
        sheaf = try SheafBinary()
        try await sheaf.fill(["aaaa0001": "one", "bbbb0002": "two"])
        #expect(try await sheaf.edit("tag add", "book", "aaaa").status == 0)
        #expect(try await sheaf.edit("view delete", "Agenda").status == 0)
    }

    private func view(_ command: String, _ rest: String...) async throws -> SheafBinary.Result {
        try await sheaf.edit("view \(command)", rest)
    }

    private func names() async throws -> [String] {
        try await view("list").output.split(separator: "\n").map(String.init)
    }

    private func objects() async throws -> [[String: Any]] {
        let data = Data(try await view("list", "--format", "json").output.utf8)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    }

    @Test("add saves a query with a tag and a sort, list tells them")
    func addAndList() async throws {
        #expect(try await view("list").output.isEmpty)
        #expect(try await view("list", "--format", "json").output == "[]\n")
        let added = try await view(
            "add", "--tag", "BOOK", "--hide-done", "--sort", "Created", "--reverse", " To read ",
            "is:open", "milk OR tea")
        #expect(added.output == "Saved view “To read”.\n")
        #expect(try await view("add", "--untagged", "loose").status == 0)
        #expect(try await view("add", "everything").status == 0)
        #expect(try await names() == ["To read", "loose", "everything"])
        #expect(
            try await view("list", "--format", "table").output == """
                To read     #book, is:open milk OR tea, without done items, by created, reversed
                loose       untagged
                everything  all items

                """)
        let first = try await objects()[0]
        #expect(first["tag"] as? String == "book")
        #expect(first["query"] as? String == "is:open milk OR tea")
        #expect(first["hidesDone"] as? Bool == true)
        #expect(first["sort"] as? String == "created")
        #expect(first["rank"] == nil)
        #expect(try await objects()[1]["tag"] is NSNull)
    }

    @Test("tags that are renamed or merged are asked for by the names that they have then")
    func renamedTags() async throws {
        #expect(try await sheaf.edit("tag add", "+roof", "bbbb").status == 0)
        #expect(try await view("add", "both", "#book OR #roof").status == 0)
        #expect(try await view("add", "other", "book").status == 0)
        #expect(try await sheaf.edit("tag rename", "book", "to read").status == 0)
        #expect(
            try await objects().map { $0["query"] as? String } == ["#\"to read\" OR #roof", "book"])
        #expect(
            try await sheaf.run("list", "--store", "a.sqlite", "--view", "both").output
                == "one\ntwo\n")
        #expect(try await sheaf.edit("tag merge", "to read", "+roof").status == 0)
        #expect(try await objects()[0]["query"] as? String == "+roof OR #roof")
        #expect(
            try await sheaf.run("list", "--store", "a.sqlite", "--view", "both").output
                == "one\ntwo\n")
    }

    @Test("a new name that makes a query too long is refused, and nothing is changed")
    func tooLongName() async throws {
        #expect(try await sheaf.edit("tag add", "novels", "bbbb").status == 0)
        #expect(try await view("add", "short", "#book").status == 0)
        let word = String(repeating: "x", count: 4_087)
        #expect(try await view("add", "long", "#book OR \(word)").status == 0)
        let before = try sheaf.bytes(of: "a.sqlite")
        for command in [["tag rename", "book", "novel"], ["tag merge", "book", "novels"]] {
            let result = try await sheaf.edit(command[0], Array(command[1...]))
            #expect(result.status == 1)
            #expect(
                result.errors.contains(
                    "The query of the view “long” would be longer than 4096 bytes."
                        + " Nothing was changed."), "\(result.errors)")
        }
        #expect(try sheaf.bytes(of: "a.sqlite") == before)
        #expect(try await sheaf.edit("tag rename", "book", "boek").status == 0)
        #expect(try await objects().allSatisfy { ($0["query"] as? String ?? "").contains("#boek") })
    }

    @Test("a query may exclude words without --, as for list; a name and an option may not")
    func exclusions() async throws {
        #expect(try await view("add", "a", "-milk", "-one").status == 0)
        #expect(try await view("add", "--sort", "name", "b", "--reverse", "-x", "two").status == 0)
        #expect(try await view("add", "--store=a.sqlite", "--hide-done", "c", "-h2").status == 0)
        #expect(try await view("add", "d", "--", "-milk").status == 0)
        #expect(
            try await objects().map { $0["query"] as? String } == [
                "-milk -one", "-x two", "-h2", "-milk",
            ])
        #expect(try await sheaf.run("list", "--store", "a.sqlite", "--view", "a").output == "two\n")
        for arguments in [
            ["-milk"], ["-milk", "e"], ["e", "--sort", "-milk"], ["e", "--tag", "-x"],
            ["e", "--x"],
        ] {
            let result = try await sheaf.edit("view add", arguments)
            #expect(result.status == 64 || result.status == 1, "\(arguments): \(result.output)")
        }
        #expect(try await names() == ["a", "b", "c", "d"])
        #expect(try await view("add", "e", "-h").output.contains("USAGE"))
    }

    @Test("what is no view is refused, and nothing is saved")
    func refused() async throws {
        #expect(try await view("add", "one").status == 0)
        #expect(
            try await view("add", "ONE").errors
                == "sheaf: A view “one” already exists. Nothing was changed.\n")
        for (arguments, status) in [
            (["ONE"], 1), ([" "], 64), ([""], 64), (["two", "(milk"], 64), (["two", "#none"], 64),
            (["two", "--tag", "none"], 1), (["two", "--sort", "size"], 64),
            (["two", "--tag", "book", "--untagged"], 64),
        ] as [([String], Int32)] {
            let result = try await sheaf.edit("view add", arguments)
            #expect(result.status == status, "\(arguments): \(result.errors)")
        }
        #expect(try await names() == ["one"])
    }

    @Test("rename, move and delete find a view by its name or the first digits of its id")
    func edits() async throws {
        for name in ["a", "b", "c"] { #expect(try await view("add", name).status == 0) }
        #expect(try await view("rename", "A", "Alpha").output == "Renamed view “a” to “Alpha”.\n")
        #expect(try await view("rename", "alpha", "ALPHA").status == 0)
        #expect(try await view("rename", "ALPHA", "b").status == 1)
        #expect(try await view("rename", "ALPHA", "ALPHA").output == "Nothing to change.\n")
        #expect(
            try await view("move", "ALPHA", "--after", "b").output
                == "Moved view “ALPHA” after “b”.\n")
        #expect(try await names() == ["b", "ALPHA", "c"])
        let id = try #require(try await objects()[2]["id"] as? String)
        #expect(try await view("move", String(id.prefix(8)), "--before", "b").status == 0)
        #expect(try await names() == ["c", "b", "ALPHA"])
        #expect(try await view("move", "c", "--before", "b").output == "Nothing to change.\n")
        #expect(try await view("move", "c", "--before", "c").output == "Nothing to change.\n")
        #expect(try await view("move", "c").status == 64)
        #expect(try await view("delete", "c", "none").status == 1)
        #expect(
            try await view("delete", "c", "alpha", "C").output == "Deleted views “c”, “ALPHA”.\n")
        #expect(try await names() == ["b"])
    }

    @Test("two views of one name are told apart by their ids")
    func sameName() async throws {
        try sheaf.write(
            """
            {"format": "sheaf", "version": 1, "items": [], "views": [
              {"name": "v", "id": "cccc0001-0000-4000-8000-000000000000"},
              {"name": "V", "id": "cccc0002-0000-4000-8000-000000000000"}]}
            """, to: "b.json")
        let move = "view move --store b.json cccc0002 --before cccc0001"
        #expect(try await sheaf.shell("\"$SHEAF\" \(move)").status == 0)
        #expect(try await sheaf.run("view", "--store", "b.json").output == "V\nv\n")
        let result = try await sheaf.run("view", "delete", "--store", "b.json", "v")
        #expect(result.status == 1)
        #expect(result.errors.contains("cccc0002-0000-4000-8000-000000000000  “V”"))
        #expect(
            try await sheaf.run("view", "delete", "--store", "b.json", "cccc0001").status == 0)
        #expect(try await sheaf.run("view", "--store", "b.json").output == "V\n")
    }

    @Test("two commands that save one name at once print two names, which the views have")
    func oneNameAtOnce() async throws {
        let save = "\"$SHEAF\" view add --store a.sqlite"
        let result = try await sheaf.shell(
            "for name in a b c d e f; do \(save) $name & \(save) $name & done; wait")
        let saved = result.output.split(separator: "\n").map {
            $0.trimmingPrefix("Saved view “").dropLast(2)
        }
        let names = try await names()
        #expect(Set(names).isSuperset(of: ["a", "b", "c", "d", "e", "f"]))
        #expect(Set(names).count == names.count)
        #expect(saved.map(String.init).sorted() == names.sorted(), "\(result.errors)")
    }

    @Test("list prints what a view shows, in its order")
    func list() async throws {
        try await sheaf.fill(["cccc0003": "ten 10", "dddd0004": "ten 9"])
        #expect(try await sheaf.edit("done", "dddd").status == 0)
        #expect(try await sheaf.edit("tag add", "book", "cccc").status == 0)
        for arguments in [
            ["all"], ["named", "--sort", "name"], ["last", "--reverse"], ["ten", "ten"],
            ["open", "--hide-done"], ["book", "--tag", "book", "--sort", "name", "--reverse"],
            ["loose", "--untagged", "NOT", "two"],
            ["best", "--sort", "match", "--reverse", "on OR wo"],
            ["tagged", "--sort", "match", "--tag", "book", "n OR #book"],
        ] { #expect(try await sheaf.edit("view add", arguments).status == 0) }
        func shown(_ rest: String...) async throws -> [String] {
            try await sheaf.edit("list", ["--view"] + rest).output.split(separator: "\n")
                .map(String.init)
        }
        #expect(try await shown("all") == ["one", "two", "ten 10", "ten 9"])
        #expect(try await shown("NAMED") == ["one", "ten 9", "ten 10", "two"])
        #expect(try await shown("last") == ["ten 9", "ten 10", "two", "one"])
        #expect(try await shown("ten") == ["ten 10", "ten 9"])
        #expect(try await shown("open") == ["one", "two", "ten 10"])
        #expect(try await shown("book") == ["ten 10", "one"])
        #expect(try await shown("loose") == ["ten 9"])
        #expect(try await shown("named", "--reverse") == ["two", "ten 10", "ten 9", "one"])
        #expect(try await shown("last", "--reverse") == ["one", "two", "ten 10", "ten 9"])
        #expect(try await shown("book", "--reverse") == ["one", "ten 10"])
        #expect(
            try await shown("last", "--sort", "name", "--reverse") == [
                "two", "ten 10", "ten 9", "one",
            ])
        // Best matches come first on the screen, however it is reversed.
        #expect(try await shown("best") == ["one", "two"])
        #expect(try await shown("best", "--reverse") == ["two", "one"])
        #expect(try await shown("tagged") == ["one", "ten 10"])
        #expect(try await shown("named", "--limit", "2") == ["one", "ten 9"])
        #expect(try await shown("named", "--limit", "0").isEmpty)
        #expect(try await shown("named", "tw", "o") == ["two"])
        #expect(try await sheaf.edit("list", "--view", "none").status == 1)
    }

    @Test("a view whose query names a tag that is gone says so")
    func faultyQuery() async throws {
        #expect(try await view("add", "v", "#book").status == 0)
        #expect(try await sheaf.edit("tag delete", "book").status == 0)
        let result = try await sheaf.edit("list", "--view", "v")
        #expect(result.status == 1)
        #expect(
            result.errors
                == "sheaf: The query of the view “v” is invalid: no tag is named #book\n")
    }

    @Test("an export has the views, and an import brings those that the list lacks")
    func export() async throws {
        #expect(try await view("add", "unread", "--tag", "book", "is:open").status == 0)
        #expect(try await view("add", "other").status == 0)
        #expect(try await sheaf.edit("export", "-o", "out.json").status == 0)
        #expect(try await sheaf.run("add", "--store", "b.json", "--tag", "Book", "x").status == 0)
        #expect(try await sheaf.run("view", "delete", "--store", "b.json", "Agenda").status == 0)
        #expect(try await sheaf.run("view", "add", "--store", "b.json", "OTHER").status == 0)
        let imported = try await sheaf.run("import", "--store", "b.json", "out.json")
        #expect(imported.output == "Imported 2 items and 1 view.\n")
        #expect(
            try await sheaf.run("view", "--store", "b.json", "--format", "table").output
                == "OTHER   all items\nunread  #Book, is:open\n")
        #expect(
            try await sheaf.run("import", "--store", "b.json", "out.json").output
                == "Imported 0 items, 2 already there.\n")
    }

    @Test("a view follows its tag into another one, and shows all once that is deleted")
    func deletedTag() async throws {
        #expect(try await view("add", "unread", "--tag", "book", "is:open").status == 0)
        #expect(try await sheaf.edit("tag add", "story", "bbbb").status == 0)
        #expect(try await sheaf.edit("tag merge", "book", "story").status == 0)
        #expect(try await view("list", "--format", "table").output == "unread  #story, is:open\n")
        #expect(
            try await sheaf.edit("tag delete", "story").output
                == "Deleted tag “story”: 2 items and 1 view changed."
                + " View “unread” now shows the items of all tags.\n")
        #expect(try await view("list", "--format", "table").output == "unread  is:open\n")
    }
}
