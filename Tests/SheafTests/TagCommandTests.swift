import Foundation
import Testing

/// `sheaf tag` and its subcommands, on the built program.
@Suite("Tag commands")
struct TagCommandTests {
    let sheaf: SheafBinary

    init() async throws {
        sheaf = try SheafBinary()
        try await sheaf.fill(["aaaa0001": "one", "bbbb0002": "two", "cccc0003": "three"])
    }

    private func tag(_ command: String, _ rest: String...) async throws -> SheafBinary.Result {
        try await sheaf.edit("tag \(command)", rest)
    }

    /// Each item with its tags: `one: book, swift`.
    private func tagged() async throws -> [String] {
        let data = Data(
            try await sheaf.run("list", "--store", "a.sqlite", "--format", "json").output.utf8)
        let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        return list.map { item in
            let tags = item["tags"] as? [String] ?? []
            return "\(item["name"] as? String ?? ""): \(tags.joined(separator: ", "))"
        }
    }

    /// The tags as `tag list` gives them: `book green 2`.
    private func listed() async throws -> [String] {
        let data = Data(try await tag("list", "--format", "json").output.utf8)
        let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        return list.map {
            "\($0["name"] as? String ?? "") \($0["color"] as? String ?? "") \($0["items"] as? Int ?? -1)"
        }
    }

    @Test("add makes a tag that is missing and puts it on items; remove takes it off")
    func addAndRemove() async throws {
        #expect(
            try await tag("add", "#Book", "aaaa", "bbbb").output
                == "Added the tag “Book” to 2 items.\n")
        #expect(
            try await tag("add", "bOOK", "bbbb", "cccc").output
                == "Added the tag “Book” to “three”.\n")
        #expect(try await tag("add", "new", "cccc").status == 0)
        #expect(try await tagged() == ["one: Book", "two: Book", "three: Book, new"])
        #expect(try await listed() == ["Book blue 3", "new green 1"])
        #expect(
            try await tag("remove", "book", "aaaa", "cccc").output
                == "Removed “Book” from 2 items.\n")
        #expect(try await tag("remove", "new", "cccc").output == "Removed “new” from “three”.\n")
        #expect(try await tag("remove", "new", "cccc").output == "Nothing to change.\n")
        #expect(try await listed() == ["Book blue 1", "new green 0"])
        #expect(try await tag("remove", "none", "aaaa").status == 1)
    }

    @Test("a rename to several words says which words lose their sign")
    func severalWords() async throws {
        _ = try await sheaf.run("add", "--store", "a.sqlite", "lend the #book out", "x #book")
        let result = try await tag("rename", "book", "to read")
        #expect(result.output == "Renamed tag “book” to “to read”.\n")
        #expect(
            result.errors
                == "“#book” lost its sign in the text of 1 item, because “to read” is not one word."
                + " Renaming the tag back does not restore it.\n")
        #expect(try await tagged().contains("lend the book out: to read"))
        #expect(try await tag("rename", "to read", "book").errors.isEmpty)
    }

    @Test("no tag is made for items that are not there, or for none")
    func noItems() async throws {
        #expect(try await tag("add", "book", "aaaa", "dddd").status == 1)
        #expect(try await sheaf.run("tag", "add", "--store", "a.sqlite", "book", "-").status == 0)
        for name in [" ", "#", ""] {
            #expect(try await tag("add", name, "aaaa").status == 64)
        }
        #expect(try await listed().isEmpty)
    }

    @Test("a tag is found by its name, whatever its case and composition, or by its id")
    func lookup() async throws {
        _ = try await tag("add", "Café 日本", "aaaa")
        _ = try await tag("add", "#cafe\u{301} 日本", "bbbb")
        #expect(try await listed() == ["Café 日本 blue 2"])
        let id = try #require(
            try await tag("list", "--format", "json").output.firstMatch(of: /"id": "([^"]*)"/)?.1)
        #expect(try await tag("add", String(id), "cccc").status == 0)
        #expect(try await tag("recolor", String(id.prefix(6).uppercased()), "red").status == 0)
        #expect(try await listed() == ["Café 日本 red 3"])
        // A word that looks like an id is a name first, and for add a new one.
        _ = try await tag("add", String(id.prefix(4)), "aaaa")
        #expect(try await tag("delete", String(id.prefix(4))).status == 0)
        #expect(try await listed() == ["Café 日本 red 3"])
        let unknown = "00000000-0000-4000-8000-000000000000"
        #expect(try await tag("add", unknown, "aaaa").status == 1)
    }

    @Test("whatever names a tag takes the same for its name")
    func oneRule() async throws {
        func json(_ name: String) async throws {
            try sheaf.write("[{\"name\": \"x\", \"tags\": [\"\(name)\"]}]", to: "x.json")
            _ = try await sheaf.run("import", "--store", "a.sqlite", "x.json")
        }
        for name in ["foo", "#foo", "# foo", " ##  # foo\t", "FOO"] {
            #expect(try await tag("add", name, "aaaa").status == 0)
            let add = try await sheaf.run("add", "--store", "a.sqlite", "--tag", name, "x")
            #expect(add.status == 0)
            try await json(name.replacing("\t", with: "\\t"))
            #expect(try await listed().count == 1, "\(name)")
            #expect(try await tag("rename", "foo", name).status == 0)
        }
        #expect(try await tag("rename", "foo", "foo").status == 0)
        for name in ["#", " # # ", " ", "", "##"] {
            let results = [
                try await tag("add", name, "aaaa"), try await tag("rename", "foo", name),
                try await sheaf.run("add", "--store", "a.sqlite", "--tag", name, "x"),
            ]
            #expect(results.allSatisfy { $0.status == 64 }, "\(name)")
            try await json(name)
        }
        #expect(try await listed() == ["foo blue 11"])
    }

    @Test("a name also means the only tag that has it after a sigil")
    func withoutSigil() async throws {
        _ = try await tag("add", "+Roof", "aaaa")
        #expect(try await tag("add", "rOOf", "bbbb").output == "Added the tag “+Roof” to “two”.\n")
        #expect(
            try await sheaf.run("add", "--store", "a.sqlite", "--tag", "roof", "four").status == 0)
        #expect(try await tag("remove", "roof", "aaaa").status == 0)
        #expect(try await tag("recolour", "roof", "red").status == 0)
        #expect(try await listed() == ["+Roof red 2"])
        #expect(try await tag("rename", "roof", "@home").status == 0)
        #expect(try await listed() == ["@home red 2"])
        _ = try await tag("add", "#home", "aaaa")
        _ = try await tag("add", "home", "cccc")
        #expect(try await tagged() == ["one: home", "two: @home", "three: home", "four: @home"])
        #expect(try await tag("merge", "home", "@home").status == 0)
        #expect(try await tag("delete", "home").status == 0)
        _ = try await tag("add", "+", "aaaa")
        #expect(try await tag("delete", "").status == 1)
        #expect(try await listed() == ["+ blue 1"])
    }

    @Test("a name that several tags have after a sigil is refused, and each is named")
    func ambiguousSigil() async throws {
        _ = try await tag("add", "+roof", "aaaa")
        _ = try await tag("add", "@roof", "bbbb")
        let before = try await tagged()
        let results = [
            try await tag("add", "roof", "cccc"), try await tag("remove", "roof", "aaaa"),
            try await tag("rename", "roof", "x"), try await tag("recolor", "roof", "red"),
            try await tag("merge", "roof", "+roof"), try await tag("delete", "roof"),
            try await sheaf.run("add", "--store", "a.sqlite", "--tag", "roof", "four"),
        ]
        for result in results {
            #expect(result.status == 1)
            #expect(result.errors.contains("“+roof”") && result.errors.contains("“@roof”"))
        }
        #expect(try await tagged() == before)
    }

    @Test("a name after a sigil that is also the beginning of another tag's id is refused")
    func sigilOrID() async throws {
        _ = try await tag("add", "book", "aaaa")
        let id = try #require(
            try await tag("list", "--format", "json").output.firstMatch(of: /"id": "([^"]*)"/)?.1)
        _ = try await tag("add", "+\(id.prefix(4))", "bbbb")
        #expect(try await tag("delete", String(id.prefix(4))).status == 1)
        #expect(try await listed().count == 2)
    }

    @Test("an import takes no tag for another")
    func sigilInImport() async throws {
        _ = try await tag("add", "+roof", "aaaa")
        try sheaf.write("[{\"name\": \"x\", \"tags\": [\"roof\"]}]", to: "x.json")
        #expect(try await sheaf.run("import", "--store", "a.sqlite", "x.json").status == 0)
        #expect(try await listed().map { $0.prefix { $0 != " " } } == ["+roof", "roof"])
    }

    @Test("rename keeps the items, and refuses the name of another tag")
    func rename() async throws {
        _ = try await tag("add", "book", "aaaa")
        _ = try await tag("add", "novel", "bbbb")
        #expect(try await tag("rename", "book", "BOOK").output == "Renamed tag “book” to “BOOK”.\n")
        let refused = try await tag("rename", "book", "#Novel")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("sheaf tag merge"))
        #expect(try await tag("rename", "book", "#").status == 64)
        #expect(try await tag("rename", "none", "x").status == 1)
        _ = try await tag("rename", "#book", " 本 ")
        #expect(try await tagged() == ["one: 本", "two: novel", "three: "])
    }

    @Test("recolor takes the colors that there are, and otherwise lists them")
    func recolor() async throws {
        _ = try await tag("add", "book", "aaaa")
        #expect(try await tag("recolor", "book", "RED").output == "Made “book” red.\n")
        #expect(try await tag("recolor", "book", "red").output == "Nothing to change.\n")
        let wrong = try await tag("recolor", "book", "pink")
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("blue, green, yellow, magenta, cyan, red, white"))
        #expect(try await listed() == ["book red 1"])
    }

    @Test("merge gives the items of some tags another one, and deletes those")
    func merge() async throws {
        _ = try await tag("add", "book", "aaaa", "bbbb")
        _ = try await tag("add", "novel", "bbbb", "cccc")
        _ = try await tag("add", "story", "cccc")
        #expect(try await sheaf.edit("view add", "v", "#book NOT #novel").status == 0)
        let result = try await tag("merge", "novel", "story", "novel", "book")
        #expect(result.output == "Merged “novel”, “story” into “book”: 2 items changed.\n")
        #expect(
            result.errors
                == "View “v” now asks for #book. There is no undo of a merge.\n")
        #expect(try await tagged() == ["one: book", "two: book", "three: book"])
        #expect(try await listed() == ["book blue 3"])
        for wrong in [["book", "book"], ["book"]] {
            #expect(try await sheaf.edit("tag merge", wrong).status == 64)
        }
        #expect(try await tag("merge", "book", "none").status == 1)
        #expect(try await listed() == ["book blue 3"])
    }

    @Test("a tag without items can be merged and deleted")
    func unused() async throws {
        for name in ["book", "novel", "story"] {
            _ = try await tag("add", name, "aaaa")
            _ = try await tag("remove", name, "aaaa")
        }
        #expect(try await tag("merge", "novel", "book").status == 0)
        #expect(try await tag("delete", "story").status == 0)
        #expect(try await listed() == ["book blue 0"])
    }

    @Test("delete takes tags off their items; one that is unknown keeps all")
    func delete() async throws {
        _ = try await tag("add", "book", "aaaa", "bbbb")
        _ = try await tag("add", "novel", "bbbb")
        #expect(try await tag("delete", "book", "none").status == 1)
        #expect(try await listed() == ["book blue 2", "novel green 1"])
        #expect(try await tag("delete", "book").output == "Deleted tag “book”: 2 items changed.\n")
        #expect(try await tagged() == ["one: ", "two: novel", "three: "])
        #expect(try await sheaf.edit("view add", "novels", "--tag", "novel").status == 0)
        #expect(
            try await tag("delete", "novel").output
                == "Deleted tag “novel”: 1 item and 1 view changed."
                + " View “novels” now shows the items of all tags.\n")
        for name in ["a", "b", "c", "d"] {
            _ = try await tag("add", "last", "aaaa")
            #expect(try await sheaf.edit("view add", name, "--tag", "last").status == 0)
        }
        #expect(
            try await tag("delete", "last").output.hasSuffix(
                "4 views changed. Views “a”, “b”, “c” and 1 more now show the items of all tags.\n"
            ))
    }

    @Test("delete tells which views look for the tag by its name")
    func deleteAndViews() async throws {
        _ = try await tag("add", "book", "aaaa")
        _ = try await tag("add", "@phone", "aaaa")
        _ = try await tag("add", "novel", "aaaa")
        for (name, query) in [
            ("unread", "#Book -is:done"), ("calls", "-#phone OR @phone"), ("both", "+book #phone"),
            ("text", "book phone '#book"), ("novels", "#novel"),
        ] {
            #expect(try await sheaf.edit("view add", name, "--", query).status == 0)
        }
        #expect(
            try await tag("delete", "novel").output
                == "Deleted tag “novel”: 1 item changed. View “novels” still names #novel.\n")
        #expect(
            try await tag("delete", "book", "phone").output
                == "Deleted tags “book”, “@phone”: 1 item changed."
                + " View “unread” still names #Book, “calls” #phone and @phone,"
                + " “both” +book and #phone.\n")
        _ = try await tag("add", "other", "aaaa")
        #expect(try await tag("delete", "other").output == "Deleted tag “other”: 1 item changed.\n")
    }

    @Test("only items that are touched get a new time")
    func times() async throws {
        _ = try await tag("add", "book", "aaaa")
        let times = "sqlite3 a.sqlite 'update items set updated_at = 5';"
        #expect(try await sheaf.shell(times).status == 0)
        _ = try await tag("delete", "book")
        let old = try await sheaf.shell(
            "sqlite3 a.sqlite 'select name from items where updated_at = 5 order by name'")
        #expect(old.output == "three\ntwo\n")
    }

    @Test("list prints a table, lines or JSON, and nothing that a terminal obeys")
    func list() async throws {
        _ = try await tag("add", "日本", "aaaa", "bbbb")
        _ = try await tag("add", "x\u{1B}]0;y\u{7}\u{202E}\nz", "aaaa")
        #expect(
            try await tag("list", "--format", "table").output
                == "#日本        blue     2\n#x␛]0;y␇�␊z  green    1\n")
        #expect(try await sheaf.run("tag", "--store", "a.sqlite").output.hasPrefix("日本\nx\u{1B}"))
        #expect(try await tag("list", "--format", "lines").output.split(separator: "\n").count == 2)
        let json = try await tag("list", "--format", "json").output
        #expect(json.contains("\"items\": 2, \"name\": \"日本\"}"))
        #expect(json.contains("\\u001b]0;y\\u0007\\u202e\\nz"))
        #expect(try await tag("list", "--format", "yaml").status == 64)
        let report = try await tag("delete", "x\u{1B}]0;y\u{7}\u{202E}\nz").output
        #expect(report == "Deleted tag “x␛]0;y␇�␊z”: 1 item changed.\n")
    }
}
