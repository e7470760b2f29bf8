import SheafTestSupport
import Testing

@testable import SheafCore
@testable import SheafTUI

/// What the screen says of a query while it is typed, and what it finds.
@Suite("Keys that type queries") @MainActor
struct KeyQueryTests {
    @Test("what is wrong is said while it is typed, and the last good result stays")
    func tellsFaults() async {
        let driver = await Driver.fruit()
        driver.type("/ 'is:done'")
        #expect(driver.names == ["plum"])
        driver.type("Backspace")
        #expect(driver.names == ["plum"])
        #expect(driver.canvas.textRows.joined().contains("is: takes done, open, untagged, noted"))
        driver.type("Enter")
        #expect(driver.state.ui.mode.line != nil)
        driver.type("'e' Enter")
        #expect(driver.state.ui.mode.isNormal)
        driver.type("Esc")
        #expect(driver.names.count == 5)
    }

    @Test("a sign that is to go on changes nothing of what is found, until the query is kept")
    func waitsForWordAfterSign() async {
        let driver = await Driver.fruit()
        driver.type("/ 'pear'")
        for sign in ["#", "+", "@", "-", "!", "'", "^", "-#", "(#"] {
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

    @Test("a tag is asked for once it is whole, and what was found before stays until then")
    func waitsForTag() async {
        let driver = await Driver.fruit()
        driver.type("/ 'pl' '_#' 'to'")
        #expect(driver.names == ["plum", "apple", "Äpfel"])
        driver.type("Esc / '#'")
        #expect(driver.names.count == 5)
        driver.type("Esc / 'pear_#'")
        #expect(driver.names == ["pear 10", "pear 9"])
        driver.type("^U 'pear_OR_plum_OR_-#'")
        #expect(driver.names.count == 3)
        driver.type("^U '#'")
        driver.type("'gard'")
        #expect(driver.names.count == 5 && driver.state.query.error != nil)
        driver.type("'en'")
        #expect(driver.names == ["apple"])
        driver.type("^U 'pear_#zzz_#'")
        #expect(driver.state.query.error?.reason == "no tag is called #zzz")
        driver.type("Enter")
        #expect(!driver.state.ui.mode.isNormal)
    }

    @Test("a sign typed within the line waits for its word as one at the end does")
    func waitsForWordWithin() async {
        let driver = await Driver.fruit()
        driver.type("/ 'pear_10' ^B ^B ^B '_-'")
        #expect(driver.names == ["pear 10"])
        driver.type("'9'")
        #expect(driver.names == ["pear 10"] && driver.state.query.error == nil)
        driver.type("Backspace ^A")
        #expect(driver.state.ui.filter == "pear - 10")
        // The caret alone changes nothing.
        #expect(driver.names == ["pear 10"])
        driver.type("Enter")
        #expect(driver.names.isEmpty)
    }

    @Test("Enter takes a sign as text, and leaves the selection on its item")
    func keepsSelection() async {
        let driver = await Driver(items: Fixtures.items(["c - d", "c", "d - c", "- c"]))
        driver.type("/ 'c_-' ↓ ↓ ↓")
        let selected = driver.state.selectedItem?.name
        driver.type("Enter")
        #expect(driver.names.count == 3)
        #expect(driver.state.selectedItem?.name == selected)
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
        #expect(driver.state.ui.filter == "c -" && driver.names.count == 3)
        await driver.typeSettling("'_' Backspace")
        #expect(driver.names.count == 3)
        await driver.typeSettling("Backspace Backspace")
        #expect(driver.names.count == 4)
        await driver.typeSettling("Esc")
        #expect(driver.state.ui.filter == "c -" && driver.names.count == 3)
        await driver.typeSettling("/")
        #expect(driver.names.count == 3)
    }

    @Test("Tab completes tags, also without their sigil, and keywords")
    func completes() async {
        let driver = await Driver.fruit()
        for (typed, completed) in [
            ("#bo", "#book "), ("gar", "+Garden "), ("x -#to", "x -#\"to read\" "),
            ("cre", "created:"), ("is:d", "is:done "), ("is:D", "is:done "), ("is:", "is:"),
            ("zzz", "zzz"),
            ("created:y", "created:yesterday "), ("due:tom", "due:tomorrow "), ("done:", "done:"),
            ("due:n", "due:none "), ("@bo", "#book "), ("+gard", "+Garden "),
            ("Cre", "created:"), ("IS:D", "is:done "), ("Due:TOM", "due:tomorrow "),
            ("an", "an"), ("AN", "AND "),
        ] {
            driver.type("/ ^U '\(typed.replacing(" ", with: "_"))' Tab")
            #expect(driver.state.ui.mode.line?.text == completed)
            driver.type("Esc")
        }
    }

    @Test(
        "Tab completes a tag whose accents are left out, or that has those which are typed",
        arguments: ["@zuric", "zuric", "#ZÜR", "zür"])
    func completesAccents(typed: String) async {
        let driver = await Driver(tags: Fixtures.tags(["@Zürich", "@Zurzach", "book"]), items: [])
        driver.type("/ '\(typed)' Tab")
        #expect(driver.state.ui.mode.line?.text == "@Zürich ")
    }

    @Test("Tab lists what could be meant until the next key, also where the query has a fault yet")
    func listsCompletions() async {
        let driver = await Driver.fruit()
        func line() -> String { driver.canvas.textRows.last ?? "" }
        driver.type("/ 'is:o' Tab")
        #expect(driver.state.ui.mode.line?.text == "is:o")
        #expect(line().contains("is:open  is:overdue"))
        driver.type("v")
        #expect(line().contains("is: takes"))
        driver.type("^U 'x_changed:' Tab")
        #expect(line().contains("changed:today  changed:yesterday"))
        driver.type("^B")
        #expect(!line().contains("changed:today"))
    }

    @Test("Tab within a line leaves one space behind what it completes")
    func completesWithin() async {
        let driver = await Driver.fruit()
        driver.type("/ '#bo_x' ^B ^B Tab 'y'")
        #expect(driver.state.ui.mode.line?.text == "#book yx")
    }

    @Test("a narrow screen says what the rows are sorted by, in fewer words")
    func narrowHeading() async {
        for (columns, heading) in [
            (100, " name reversed · created ─"), (60, " name reversed ─"),
        ] {
            let tags = Fixtures.tags(["book"])
            let driver = await Driver(
                tags: tags, items: Fixtures.items(["pear", "apple"]),
                size: Size(columns: columns, rows: 12))
            driver.type("s n S")
            let rule = driver.canvas.textRows.first { $0.contains("Items") } ?? ""
            #expect(rule.hasSuffix(heading), "\(columns) columns")
        }
    }

    @Test("Alt-↑ brings earlier queries back, Alt-↓ what was typed")
    func recalls() async {
        let driver = await Driver.fruit()
        driver.type("/ 'pear' Enter / ^U 'plum' Enter / ^U 'ap' Alt-↑")
        #expect(driver.state.ui.filter == "plum")
        driver.type("Alt-↑ Alt-↑")
        #expect(driver.names.first == "pear 10")
        driver.type("Alt-↓ Alt-↓")
        #expect(driver.state.ui.filter == "ap")
        // The query that is kept is no earlier one; one that is changed is what was typed.
        driver.type("^U 'apple' Enter / Alt-↑")
        #expect(driver.state.ui.filter == "plum")
        driver.type("Alt-↑ Alt-↓ Alt-↓ Alt-↑")
        #expect(driver.state.ui.filter == "plum")
        driver.type("'b' Alt-↑ Alt-↓")
        #expect(driver.state.ui.filter == "plumb")
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
            driver.canvas.textRows.contains { $0.contains("…  +Garden …  ") })
        #expect(try isMarked("G", in: "The whole"))
        #expect(try isMarked("G", in: "short") && !isMarked("≡", in: "short"))
        #expect(try !isMarked("≡", in: "gardenia"))
        #expect(try isMarked("≡", in: "one without"))
        // Whoever asks for a tag knows that the rows have it.
        driver.type("^U '+garden' Enter")
        #expect(
            !driver.canvas.textRows.contains { $0.contains("The whole") && $0.contains("+Gard") })
        driver.type("/ ^U '+garden_for' Enter")
        #expect(driver.names == ["short"])
        #expect(try isMarked("≡", in: "short"))
    }

    @Test("alternatives stand in brackets beside what is hidden")
    func bracketsAlternatives() async {
        let driver = await Driver.fruit()
        driver.type("/ 'apple_OR_pear' Enter")
        #expect(driver.canvas.textRows[0].hasSuffix("apple OR pear "))
        driver.type("H")
        #expect(driver.canvas.textRows[0].hasSuffix("(apple OR pear) is:open "))
    }

    @Test("what is hidden or chosen is not said twice where the query asks for it")
    func saysOnce() async {
        let driver = await Driver.fruit()
        driver.type("H / 'p_is:open' Enter")
        #expect(driver.canvas.textRows[0].hasSuffix("4 of 5   p is:open "))
        driver.type("/ ^U 'p_OR_is:open' Enter")
        #expect(driver.canvas.textRows[0].hasSuffix("   (p OR is:open) is:open "))
        driver.type("/ ^U '-is:open' Enter")
        #expect(driver.canvas.textRows[0].hasSuffix("   -is:open is:open "))
        driver.type("H / ^U 'p_+garden' Enter h 4 j")
        #expect(driver.state.ui.tagChoice == .tag(driver.state.tags.values[2].id))
        #expect(driver.canvas.textRows[0].hasSuffix("1 of 5   p +garden "))
        driver.type("k")
        #expect(driver.canvas.textRows[0].hasSuffix("   #to read p +garden "))
    }

    @Test("the best match is selected while a query is typed, and the numbers beside tags count")
    func selectsBest() async {
        let driver = await Driver.fruit()
        driver.type("G / 'apf'")
        #expect(driver.state.selectedItem?.name == "Äpfel")
        #expect(driver.state.rows.counts.total == 1)
        driver.type("Esc")
        #expect(driver.state.selectedItem?.name == "plum")
    }

    @Test("while a query has a fault the header has the one that the rows are of")
    func headerUnderFault() async {
        let driver = await Driver.fruit()
        func header() -> String { driver.canvas.textRows.first ?? "" }
        driver.type("/ 'pear'")
        #expect(header().contains("2 of 5   pear"))
        driver.type("'_is:op'")
        #expect(driver.state.query.error != nil && header().contains("2 of 5   pear "))
        #expect(!header().contains("is:op"))
        driver.type("'en'")
        #expect(header().contains("2 of 5   pear is:open"))
    }

    @Test("a tag that is being typed is at fault, and what Tab makes of it is said")
    func saysWhatTabCompletes() async {
        let driver = await Driver.fruit()
        func line() -> String { driver.canvas.textRows.last ?? "" }
        driver.type("/ '#b'")
        #expect(line().contains("no tag is called #b; Tab: #book"))
        driver.type("'x'")
        #expect(line().contains("no tag is called #bx") && !line().contains("Tab:"))
        driver.type("Backspace '_pear'")
        #expect(line().contains("no tag is called #b") && !line().contains("Tab:"))
    }
}

extension Driver {
    /// Five fruits, two of which have a tag, and one of which is done.
    static func fruit(elsewhere: Bool = false) async -> Driver {
        let tags = Fixtures.tags(["book", "to read", "+Garden"])
        var items = Fixtures.items(["pear 10", "apple", "pear 9", "Äpfel", "plum"])
        items[1].tags = [tags[2].id]
        items[3].tags = [tags[1].id]
        items[4].doneAt = Fixtures.now
        return await Driver(tags: tags, items: items, searchesElsewhere: elsewhere)
    }
}
