import SheafTestSupport
import Testing

@testable import SheafList
@testable import SheafTUI

/// The screen while a query is typed, and its results.
@Suite("Keys that type queries") @MainActor
struct KeyQueryTests {
    @Test("a sign that is to go on changes nothing of what is found, until the query is kept")
    func waitsForWordAfterSign() async {
        let driver = await Driver.fruit()
        driver.type("/ 'pear'")
        for sign in ["#", "+", "@", "-", "-#", "(#"] {
            driver.type("'_\(sign)'")
            #expect(driver.names == ["pear 10", "pear 9"], "\(sign)")
            #expect(driver.canvas.textRows[0].contains("2 of 5"))
            #expect(driver.state.query.error == nil || sign == "(#")
            driver.type("'zzz'")
            driver.type("Backspace Backspace Backspace")
            #expect(driver.names.count < 5)
            driver.type(String(repeating: "Backspace ", count: sign.count + 1))
            #expect(driver.names == ["pear 10", "pear 9"])
        }
    }

    @Test("a sign alone is text in a query that is kept", arguments: [false, true])
    func keepsSignAsText(elsewhere: Bool) async {
        let driver = await Driver(
            items: Fixtures.items(["e", "d - c", "c - d", "c", "- c"]),
            searchesElsewhere: elsewhere)
        await driver.typeSettling("/ 'c'")
        await driver.typeSettling("'_-'")
        #expect(driver.names.count == 4)
        await driver.typeSettling("Enter")
        #expect(Set(driver.names) == ["c - d", "- c", "d - c"])
        #expect(driver.state.selectedItem?.name == driver.names.first)
        // An earlier query is as it was kept, until it is changed.
        await driver.typeSettling("/ ^U Alt-↑")
        #expect(driver.state.ui.viewSettings.filter == "c -" && driver.names.count == 3)
        await driver.typeSettling("'_' Backspace")
        #expect(driver.names.count == 3)
        await driver.typeSettling("Backspace Backspace")
        #expect(driver.names.count == 4)
        await driver.typeSettling("Esc")
        #expect(driver.state.ui.viewSettings.filter == "c -" && driver.names.count == 3)
        await driver.typeSettling("/")
        #expect(driver.names.count == 3)
    }

    @Test("a row tells by what it was found, also where that is its note or a tag without room")
    func tellsWhatWasFound() async throws {
        let tags = Fixtures.tags(["book", "+Garden"])
        var items = Fixtures.items([
            "The whole of this row is full of nothing but its own name, which is long", "short",
            "gardenia", "one without a tag or a word of it",
        ])
        items[0].tags = [tags[0].id, tags[1].id]
        items[1].tags = [tags[1].id]
        for index in 1...3 { items[index].note = "for the garden" }
        let driver = await Driver(tags: tags, items: items)
        func isMarked(_ text: Character, in name: String) throws -> Bool {
            let canvas = driver.canvas
            let y = try #require(canvas.textRows.firstIndex { $0.contains(name) })
            let cells = canvas.row(y)
            let x = try #require(cells.lastIndex { $0.text == String(text) })
            return cells[x].style.attributes.contains([.bold, .underline])
        }
        driver.type("/ 'garden'")
        #expect(driver.names.count == 4)
        #expect(
            driver.canvas.textRows.contains { $0.contains("…  +Garden") })
        #expect(try isMarked("G", in: "The whole"))
        #expect(try isMarked("G", in: "short") && !isMarked("≡", in: "short"))
        #expect(try !isMarked("≡", in: "gardenia"))
        #expect(try isMarked("≡", in: "one without"))
        // A user who asks for a tag knows that the rows have it.
        driver.type("^U '+garden' Enter")
        #expect(
            !driver.canvas.textRows.contains { $0.contains("The whole") && $0.contains("+Gard") })
        driver.type("/ ^U '+garden_for' Enter")
        #expect(driver.names == ["short"])
        #expect(try isMarked("≡", in: "short"))
    }
}
