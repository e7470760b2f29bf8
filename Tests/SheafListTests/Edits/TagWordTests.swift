import SheafTestSupport
import Testing

@testable import SheafList

/// Tags whose words stand inside a name.
@Suite("Tag words")
struct TagWordTests {
    private let tags = Fixtures.tags(["@nas", "+Roof", "book", "to read", "12", "@a.b", "c++"])

    private func words(_ name: String) -> [String] {
        let characters = Array(name)
        return SheafList.Tag.words(of: name, naming: tags).map { String(characters[$0.range]) }
    }

    @Test(
        "a word with the sigil of one of the tags stands for it",
        arguments: [
            ("host on @nas (nginx)", ["@nas"]),
            ("@NAS and +roof, then #Book.", ["@NAS", "+roof", "#Book"]),
            ("**call @nas** [to #book]", ["@nas", "#book"]),
            ("#12 of #c++", ["#12", "#c++"]), ("see @a.b. Then", ["@a.b"]),
            ("é\u{301} @nas\u{a0}x", ["@nas"]),
            ("@nas,@nas (#book) #book;x", ["@nas", "#book"]), ("#c++,#12", ["#c++"]),
            ("[a @nas ][b @nas ] $a @nas$ $5 @nas $6", ["@nas"]), ("[a @nas ][b", ["@nas"]),
            // A bare word, another sigil, a part of a word and several words do not.
            ("nas book 12", []), ("+nas #nas @book +book", []), ("me@nas.org (@nas)", []),
            ("#to read #to-read", []), ("@ + #", []), ("", []),
            // Code and links.
            ("`a @nas` @nas", ["@nas"]), ("``a ` @nas`` b", []), ("`a @nas", ["@nas"]),
            ("é [[a @nas]] +roof", ["+roof"]), ("[a @nas ](b @nas ) [a @nas ]", ["@nas"]),
            ("\\`a @nas ` \\[[a @nas ]]", ["@nas", "@nas"]), ("[a [[b @nas ]] @nas ](c)", ["@nas"]),
        ])
    func words(name: String, expected: [String]) {
        #expect(words(name) == expected)
    }

    @Test("an enormous name is not searched")
    func enormous() {
        #expect(words("@nas " + String(repeating: "x", count: 5_000)).isEmpty)
    }

    private func item(_ name: String, _ tags: SheafList.Tag...) -> Item {
        Item(
            id: Fixtures.id(1), name: name, tags: Set(tags.map(\.id)), rank: .middle,
            createdAt: .zero)
    }

    @Test(
        "a removed tag leaves its words without sigils",
        arguments: [
            ("host on @nas (nginx)", "host on nas (nginx)"), ("@nas @nas", "nas nas"),
            ("ask@nas.org", "ask@nas.org"),
        ])
    func remove(name: String, expected: String) {
        var item = item(name, tags[0], tags[1])
        item.remove(tags[0])
        #expect(item.name == expected)
        #expect(item.tags == [tags[1].id])
    }

    @Test(
        "an escaped word is no tag, whatever the tag is renamed to",
        arguments: [
            ("say \\#book #book", "#work", "say #book #work"),
            ("say \\\\#book", "#work", "say \\#book"),
            ("#work, #book", "#work", "\\#work, #work"),
            ("say \\#book #Book", "#Book", "say \\#book #Book"),
            ("say \\#book", "", "say #book"), ("`\\#book`", "#work", "`\\#book`"),
        ])
    func escaped(name: String, new: String, expected: String) {
        let book = tags[2]
        var item = item(name, book)
        #expect(words(name).count <= 2)
        if new.isEmpty {
            item.remove(book)
        } else {
            var renamed = book
            renamed.name = String(new.dropFirst())
            #expect(item.isRewritten(byRenaming: book, to: renamed) == (name != expected))
            item.replace(book, with: renamed)
            #expect(item.name == expected)
            guard renamed.foldedName != book.foldedName else { return }
            item.replace(renamed, with: book)
            #expect(item.name == name || name.hasPrefix("say \\\\"))
            return
        }
        #expect(item.name == expected)
    }

    @Test(
        "a change of case changes the kept line of a todo.txt",
        arguments: [
            ("+Roof", "+ROOF", "a +roof, b +Roof @book", "a +ROOF, b +ROOF @book"),
            ("book", "Book", "a +Roof @book", "a +Roof @Book"),
            ("+Roof", "+top", "a +Roof b", "a +Roof b"),
        ])
    func keptLine(name: String, new: String, line: String, expected: String) throws {
        let tag = try #require(tags.first { $0.name == name })
        var renamed = tag
        renamed.name = new
        var item = item("a", tag)
        item.extras = [.init(key: Item.Extra.todoLineKey, value: line)]
        item.replace(tag, with: renamed)
        #expect(item.extras[0].value == expected)
    }

    @Test("an item without the tag keeps its words")
    func lacking() {
        var item = item("host on @nas")
        item.remove(tags[0])
        item.replace(tags[0], with: tags[1])
        #expect(item == self.item("host on @nas"))
    }

    @Test(
        "a replaced tag leaves the words of the other one",
        arguments: [
            ("@server", "on @server, ok"), ("server", "on #server, ok"),
            ("+server", "on +server, ok"), ("my server", "on nas, ok"),
            ("@my server", "on nas, ok"),
        ])
    func replace(name: String, expected: String) {
        var item = item("on @nas, ok", tags[0])
        var renamed = tags[0]
        renamed.name = name
        item.replace(tags[0], with: renamed)
        #expect(item.name == expected)
        #expect(item.tags == [tags[0].id])
        var merged = self.item("on @nas, ok", tags[0], tags[2])
        merged.replace(tags[0], with: tags[2])
        #expect(merged.name == "on #book, ok")
        #expect(merged.tags == [tags[2].id])
    }
}
