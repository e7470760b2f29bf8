import SheafTestSupport
import Testing

@testable import SheafList

@Suite struct TagRenamingTests {
    /// The list's tags with other names for some.
    private func renaming(
        _ names: [String], _ newNames: [String: String]
    ) -> TagRenaming {
        let tags = Fixtures.tags(names)
        var renamed = tags
        for index in tags.indices {
            renamed[index].name = newNames[tags[index].name] ?? names[index]
        }
        return TagRenaming(from: tags, to: renamed)
    }

    @Test(
        "a query asks for a tag by the name that it has got",
        arguments: [
            ("#book", "#novel"),
            ("#book created:2026-06..2026-05", "#novel created:2026-06..2026-05"),
            ("is:open -#BOOK (x OR #book)", "is:open -#novel (x OR #novel)"),
            ("book \"#book\" '#book", "book \"#book\" '#book"),
            ("#garden @book", "#garden #novel"), ("#bücher #bucher", "#bücher #bucher"),
            ("#book (", "#book ("), ("", ""), ("é NOT #\"book\"x", "é NOT #\"novel\"x"),
            ("(#\"book\")", "(#\"novel\")"), ("#\"book\" #book", "#novel #novel"),
        ])
    func renamed(query: String, expected: String) {
        let renaming = renaming(["book", "+garden", "bucher"], ["book": "novel"])
        #expect(renaming.query(query) == expected)
        #expect(renaming.view(Fixtures.view(1, query: query)).query == expected)
    }

    @Test("a name that would make a view's query too long is told with the view")
    func obstacle() {
        let long = String(repeating: "x", count: 4_086) + " #book"
        let views = [("short", "#book"), ("long", long), ("none", "#book (")].map {
            SavedView(id: Fixtures.id(1), name: $0, query: $1, rank: .middle)
        }
        for name in ["boek", "c", "longbook"] {
            #expect(renaming(["book"], ["book": name]).obstacle(in: views) == nil)
        }
        let renaming = renaming(["book"], ["book": "to read"])
        #expect(
            renaming.obstacle(in: views)
                == "The query of the view “long” would be longer than 4096 bytes")
        #expect(renaming.query(long) == long)
        #expect(self.renaming(["other"], ["other": "to read"]).obstacle(in: views) == nil)
    }

    @Test("names are understood as they were, whichever tags have them now")
    func swapped() {
        #expect(renaming(["a", "b"], ["a": "b", "b": "a"]).query("#a -#b") == "#b -#a")
        #expect(renaming(["a", "b"], ["a": "b", "b": "c"]).query("#a -#b") == "#b -#c")
    }

    @Test("a name that would come to mean another tag gives way to the whole one")
    func captured() {
        #expect(renaming(["Zürich", "home"], ["home": "zurich"]).query("#zurich") == "#Zürich")
        #expect(renaming(["+garden", "book"], ["book": "garden"]).query("#garden") == "+garden")
        #expect(renaming(["+garden", "book"], ["book": "@garden"]).query("#garden") == "+garden")
        #expect(renaming(["Book"], ["Book": "BOOK"]).query("#book") == "#book")
    }

    @Test("a name is followed however it is spelled in the query")
    func spellings() {
        let renaming = renaming(
            ["+ Zürich", "@İstanbul", "x"], ["+ Zürich": "a", "@İstanbul": "b"])
        #expect(renaming.query("#\"zurich\" #ISTANBUL #\"+ ZURICH\" #x") == "#a #b #a #x")
    }

    @Test("what would be too long stays as it was")
    func tooLong() {
        let query = (0..<60).map { _ in "#a" }.joined(separator: " ")
        let name = String(repeating: "long", count: 40)
        #expect(renaming(["a"], ["a": name]).query(query) == query)
    }

    @Test("a name and a slash find the same tags afterwards")
    func below() {
        let names = ["+House", "+House/Bathroom", "x"]
        #expect(renaming(names, ["x": "y"]).query("+House/") == "+House/")
        #expect(renaming(names, ["+House/Bathroom": "+House/Bath"]).query("+House/") == "+House/")
        #expect(
            renaming(names, ["+House": "+Home"]).query("a -+House/")
                == "a -(+Home/ OR +House/)")
        #expect(renaming(names, ["x": "+House/x"]).query("+House/") == "+House/")
        #expect(
            renaming(names, ["+House/Bathroom": "bath"]).query("+House/") == "(#bath OR +House/)")
        #expect(
            renaming(["+House", "x"], ["+House": "my home"]).query("+House/") == "#\"my home\"/")
        #expect(
            renaming(["a", "a/b"], ["a": "c", "a/b": "c/b"]).query("#a/ x") == "#c/ x")
    }

    @Test("tags are renamed out of a tree one by one, without ever more brackets")
    func treeOneByOne() {
        var names = (0..<40).map { "+x/\($0)" }
        var query = "-+x/"
        for place in 0..<39 {
            query = renaming(names, [names[place]: "+y/\(place)"]).query(query)
            names[place] = "+y/\(place)"
        }
        let all = (0..<39).reversed().map { "+y/\($0)" }
        #expect(query == "-(\(all.reversed().joined(separator: " OR ")) OR +x/)")
    }

    @Test("a query that would get too many parts is an obstacle")
    func parts() {
        let words = (0..<63).map { "-w\($0)" }.joined(separator: " ")
        let nested = String(repeating: "(", count: 30) + "-+x/" + String(repeating: ")", count: 30)
        for query in ["-+x/ \(words)", nested] {
            let renaming = renaming(["+x", "+x/a"], ["+x/a": "+y/a"])
            let view = SavedView(id: Fixtures.id(1), name: "v", query: query, rank: .middle)
            #expect(
                renaming.obstacle(in: [view])
                    == "The query of the view “v” would have too many parts")
        }
    }

    @Test("a name and a slash come to mean no tag with another sigil or accent")
    func belowOther() {
        #expect(renaming(["book", "+book"], ["book": "novel"]).query("-#book/") == "-#novel/")
        #expect(renaming(["café", "x"], ["x": "cafe"]).query("#cafe/") == "#café/")
        #expect(renaming(["book", "novel/x"], ["book": "novel"]).query("#book/") == "#novel")
        let tags = Fixtures.tags(["book", "+book", "@book"])
        let merged = TagRenaming(
            from: tags, to: [tags[1], tags[2]], merged: [tags[0].id: tags[1].id])
        #expect(merged.query("#book/") == "+book/")
    }

    @Test("a merged tag is asked for by that which stands for it, a deleted one as before")
    func merged() {
        let tags = Fixtures.tags(["a", "b", "c"])
        let renaming = TagRenaming(
            from: tags, to: [tags[1]], merged: [tags[0].id: tags[1].id])
        #expect(renaming.query("#a #d #c") == "#b #d #c")
    }

    @Test(
        "a merge leaves no repetition in a query, and no exclusion of the tag that it asks for",
        arguments: [
            ("+House NOT @house", "+House"), ("+House -@house milk", "+House milk"),
            ("NOT @house AND +House", "+House"), ("NOT @house", "NOT +House"),
            ("@house OR +House", "+House"),
            ("milk (@house OR +House) is:open", "milk (+House) is:open"),
            ("@house +House", "+House"), ("+House AND @house x", "+House x"),
            ("NOT +House NOT @house", "NOT +House"),
            ("+House OR NOT @house", "+House OR NOT +House"),
            ("-(@house +House)", "-(+House)"), ("+House x OR @house y", "+House x OR +House y"),
            ("NOT NOT @house +House", "NOT NOT +House +House"),
            ("+House NOT @other", "+House NOT @other"), ("@house @house", "+House"),
            ("\"AND\" AND @house AND +House", "\"AND\" AND +House"),
        ])
    func mergedTwice(query: String, result: String) {
        let tags = Fixtures.tags(["@house", "+House", "@other"])
        let renaming = TagRenaming(
            from: tags, to: [tags[1], tags[2]], merged: [tags[0].id: tags[1].id])
        #expect(renaming.query(query) == result)
    }

    @Test(
        "any tag can be asked for by its name",
        arguments: [
            "book", "+garden", "to read", "\"quoted\"", "+\"x", "f(x)", ")", "a\"b", "OR", "$", "é",
            "-", "is:done", "!", "+", "@", "House/", "/",
        ])
    func queryTerm(name: String) throws { try expectFound(name) }

    private func expectFound(_ name: String) throws {
        let tag = Fixtures.tags([name])[0]
        for term in [tag.queryTerm(), tag.queryTerm(isQuoted: true)] {
            for text in [term, "-\(term) x", "(\(term))", "NOT (\(term) OR x)"] {
                let search = try ItemSearch(
                    Query(text), tags: [tag], now: Fixtures.now, calendar: .utc)
                #expect(search.askedTags == [tag.id], "\(text.debugDescription)")
            }
        }
    }

    @Test(
        "so can tags with marks that combine with the signs of a query, before and after a rename")
    func combiningMarks() throws {
        let signs = ["#", "+", "@", "\"", "(", ")", "-", "!", ":", " ", "$", "a"]
        for mark in ["\u{301}", "\u{200d}", "\u{fe0f}", "\u{20dd}"] {
            for first in signs {
                for second in [""] + signs {
                    guard let name = Tag.name(from: "\(first)\(mark)x\(second)\(mark)") else {
                        continue
                    }
                    try expectFound(name)
                    let renamed = renaming([name, "book"], [name: "y\(name)", "book": name])
                    let terms = [Fixtures.tags([name])[0], Fixtures.tags(["y\(name)"])[0]]
                        .map { $0.queryTerm() }
                    #expect(renamed.query("-\(terms[0])") == "-\(terms[1])")
                    #expect(renamed.query("-#book") == "-\(terms[0])")
                }
            }
        }
    }
}
