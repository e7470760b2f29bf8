import SheafTestSupport
import Swidux
import Testing

@testable import SheafList

/// The content of a saved view, and the merge of two edits of one.
@Suite("Saved view")
struct SavedViewTests {
    private let view = Fixtures.fullView

    @Test("it chooses all items, those without a tag, or those of one")
    func choice() {
        var view = SavedView(id: Fixtures.id(1))
        #expect(view.choice == .all)
        for choice in [TagChoice.tag(Fixtures.tagID(1)), .untagged, .all] {
            view.choice = choice
            #expect(view.choice == choice)
            #expect(SavedView(id: view.id, name: "", choice: choice, rank: view.rank) == view)
        }
    }

    @Test("where one process chose a tag and another those without, the tag is shown")
    func bothChoices() {
        let base = SavedView(id: Fixtures.id(1))
        var (mine, theirs) = (base, base)
        mine.choice = .untagged
        theirs.choice = .tag(Fixtures.tagID(1))
        let outcome = SavedView.merge(base: base, mine: mine, theirs: theirs)
        #expect(outcome.value.choice == theirs.choice)
        #expect(!outcome.isConflict)
    }

    @Test(
        "each field is taken over where only another process changed it",
        arguments: SavedView.fields.map(\.name))
    func merged(_ name: String) throws {
        let base = SavedView(id: view.id)
        let other = try #require(SavedView.fields.first { $0.name == name })
        for field in SavedView.fields {
            var (mine, theirs) = (base, base)
            other.copy(from: view, to: &theirs)
            field.copy(from: view, to: &mine)
            let outcome = SavedView.merge(base: base, mine: mine, theirs: theirs)
            for checked in [other, field] {
                #expect(checked.isSame(in: outcome.value, as: view), "\(checked.name)")
            }
            #expect(!outcome.isConflict)
        }
    }

    @Test("where both changed one field, the edit here stands")
    func conflict() {
        let base = SavedView(id: view.id, name: "base", query: "base", rank: view.rank)
        var (mine, theirs) = (base, base)
        mine.query = "mine"
        theirs.query = "theirs"
        theirs.name = "theirs"
        let outcome = SavedView.merge(base: base, mine: mine, theirs: theirs)
        #expect(outcome.value.query == "mine")
        #expect(outcome.value.name == "theirs")
        #expect(outcome.isConflict)
    }

    @Test("it finds what its query, its tag and the hiding of done items leave")
    func search() throws {
        let tags = Fixtures.tags(["home", "work"])
        var items = Fixtures.items(["milk", "milk and tea", "milk done", "tea"])
        items[0].tags = [tags[0].id]
        items[2].tags = [tags[0].id]
        items[2].doneAt = Fixtures.now
        func found(_ view: SavedView, _ tags: [SheafList.Tag] = tags) throws -> [String] {
            let search = try view.search(tags: tags, now: Fixtures.now, calendar: .utc)
            return items.filter { search.finds($0) }.map(\.name)
        }
        var view = SavedView(id: Fixtures.id(1), name: "v", query: "milk", rank: .middle)
        #expect(try found(view) == ["milk", "milk and tea", "milk done"])
        view.hidesDone = true
        #expect(try found(view) == ["milk", "milk and tea"])
        view.choice = .untagged
        #expect(try found(view) == ["milk and tea"])
        view.choice = .tag(tags[0].id)
        #expect(try found(view) == ["milk"])
        // The tag was deleted elsewhere a moment ago.
        #expect(try found(view, [tags[1]]) == ["milk", "milk and tea"])
        view.query = "milk OR tea"
        #expect(try found(view) == ["milk"])
        view.query = ""
        #expect(try found(view) == ["milk"])
        for query in ["(milk", "#none"] {
            view.query = query
            #expect(throws: QueryError.self) { try found(view) }
        }
    }

    @Test("a name has no white space at its ends, and is more than that")
    func names() {
        #expect(SavedView.name(from: " to read\t") == "to read")
        #expect(SavedView.name(from: "#1") == "#1")
        #expect(SavedView.name(from: " \n") == nil)
    }
}
