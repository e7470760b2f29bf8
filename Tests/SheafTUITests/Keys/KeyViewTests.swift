import SheafCore
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// What keys do with saved views, in their rows above the tags.
@MainActor
@Suite("Keys about saved views")
struct KeyViewTests {
    /// The reading list with the views `swift`, `open` by name, and `lost`, whose tag is not there.
    private func driver(size: Size = Size(columns: 80, rows: 16)) async -> Driver {
        let (tags, items) = Fixtures.readingList()
        var open = Fixtures.view(2, "open", choice: .tag(tags[0].id))
        open.hidesDone = true
        open.sort = .name
        return await Driver(
            tags: tags,
            views: [
                Fixtures.view(1, "swift", query: "#swift"), open,
                Fixtures.view(3, "lost", query: "#gone"),
            ],
            items: items, size: size)
    }

    private let all = Fixtures.readingList().items.map(\.name)

    /// The row of the tags pane that has the marker.
    private func markedRow(_ driver: Driver) -> String? {
        driver.canvas.textRows
            .compactMap { $0.split(separator: "│").first }
            .first { $0.hasPrefix("▌") }
            .map { $0.dropFirst().split(separator: " ").joined(separator: " ") }
    }

    @Test("moving onto a view shows it, and leaving it brings back what was shown before")
    func passing() async {
        let driver = await driver()
        driver.type("/ 'in' Enter s c S h")
        let names = driver.names
        let heading = driver.state.heading(showsDue: false)
        driver.type("g g")
        #expect(driver.names == ["Swift Concurrency by Example"])
        #expect(driver.state.ui.filter == "#swift")
        #expect(markedRow(driver) == "1 swift 1")
        driver.type("j")
        #expect(
            driver.names
                == ["Swift Concurrency by Example", "The Art of Computer Programming, vol. 4B"])
        #expect(driver.state.heading(showsDue: false) == "name · created")
        driver.type("j j")
        #expect(driver.state.chosenRow == .choice(.all))
        #expect(driver.names == names)
        #expect(driver.state.heading(showsDue: false) == heading)
        #expect(driver.state.ui.filter == "in")
        #expect(!driver.state.ui.hidesDone)
    }

    @Test("a tag that is renamed is asked for by its new name in views and in what is shown")
    func renamedTag() async throws {
        let driver = await driver()
        let tag = try #require(driver.state.tags.first { $0.name == "swift" })
        driver.type("/ '-#swift' Enter h g g")
        let names = driver.names
        func rename(_ name: String) { driver.store.send(.tags(.rename(tag.id, newName: name))) }
        rename("Swift 6")
        #expect(driver.state.views.map(\.query) == ["#\"Swift 6\"", "", "#gone"])
        #expect(driver.state.ui.filter == "#\"Swift 6\"")
        #expect(driver.state.showsChosenView)
        #expect(driver.names == names)
        // Undo goes to the tag, which leaves the view.
        driver.type("u")
        #expect(driver.state.views.map(\.query) == ["#swift", "", "#gone"])
        #expect(driver.state.ui.filter == "-#swift")
        #expect(driver.state.query.error == nil)
        driver.type("^R")
        #expect(driver.state.ui.filter == "-#\"Swift 6\"")
        #expect(driver.state.query.error == nil)
        // What is being typed stays as it is, but not what comes back after it.
        driver.type("/ ^U '#swift'")
        rename("x")
        #expect(driver.state.ui.filter == "#swift")
        #expect(driver.state.query.error?.reason == "no tag is called #swift")
        driver.type("Esc")
        #expect(driver.state.ui.filter == "-#x")
        driver.type("Esc / Alt-↑")
        #expect(driver.state.ui.mode.line?.text == "-#x")
    }

    @Test("Esc leaves a view for what was shown before, and clears the query only then")
    func escape() async {
        let driver = await driver()
        driver.type("/ 'in' Enter g 2 g 1 H Esc")
        #expect(driver.state.chosenRow == .choice(.all))
        #expect(driver.state.ui.filter == "in")
        #expect(!driver.state.ui.hidesDone)
        driver.type("Esc")
        #expect(driver.names == all)
    }

    @Test(
        "what is changed on a view stays with its row, which says so until it is chosen again",
        arguments: ["H", "s c", "s n", "/ ^U 'x' Enter"])
    func changed(keys: String) async {
        let driver = await driver()
        driver.type("g 1")
        #expect(driver.state.showsChosenView)
        driver.type(keys)
        #expect(!driver.state.showsChosenView)
        #expect(markedRow(driver) == "1 swift *")
        // Nothing moves, so nothing is chosen.
        driver.type("h k")
        #expect(markedRow(driver) == "1 swift *")
        driver.type("Enter")
        #expect(driver.state.ui.pane == .items)
        #expect(driver.state.showsChosenView)
        driver.type(keys)
        driver.type("g 1")
        #expect(markedRow(driver) == "1 swift 1")
        #expect(driver.names == ["Swift Concurrency by Example"])
    }

    @Test("a query that is opened and left unchanged changes no view")
    func unchanged() async {
        let driver = await driver()
        driver.type("g 2 / Esc")
        #expect(driver.state.showsChosenView)
    }

    @Test("a view whose query is faulty has the selection, and shows nothing of its own")
    func faulty() async {
        let driver = await driver()
        driver.type("H g 1 g 3")
        #expect(driver.state.chosenRow == .view(Fixtures.viewID(3)))
        #expect(
            driver.state.ui.toast?.text
                == "View “lost” cannot be shown: no tag is called #gone")
        #expect(driver.state.ui.toast?.isAlert == true)
        #expect(markedRow(driver) == "3 lost *")
        #expect(driver.state.ui.filter.isEmpty)
        #expect(driver.names.count == 4)
        driver.type("h a 'gone' Enter")
        #expect(driver.state.views.count == 4)
        driver.type("u G a 'gone' Enter g 3")
        #expect(driver.state.showsChosenView)
        #expect(driver.state.ui.toast?.text == "View “lost”")
    }

    @Test("a view that becomes faulty while it is shown says so")
    func becomesFaulty() async {
        let driver = await driver()
        driver.type("g 1")
        driver.store.send(.tags(.delete(Fixtures.id(102))))
        #expect(markedRow(driver) == "1 swift *")
    }

    @Test("gv types a name for what is shown, as the last view, from either pane")
    func saving() async {
        let driver = await driver()
        driver.type("/ 'in' Enter H g v 'in_open'")
        #expect(driver.state.ui.mode.draft?.target == .newView)
        #expect(driver.state.newTagRow == 3)
        #expect(markedRow(driver) == "4 in open")
        driver.type("Enter")
        #expect(driver.state.selectedView?.name == "in open")
        #expect(driver.state.selectedView?.query == "in")
        #expect(driver.state.selectedView?.hidesDone == true)
        #expect(driver.state.showsChosenView)
        driver.type("g v Esc g v Enter g v Space Enter a Enter")
        #expect(driver.state.views.count == 4)
        driver.type("g v 'OPEN' Enter")
        #expect(driver.state.views.count == 4)
        #expect(driver.state.ui.toast?.text == "A view “open” already exists")
        // What was typed is there to be changed.
        driver.type("^A 'an' Enter r ^U 'swift' Enter")
        #expect(driver.state.ui.mode.line?.text == "swift")
        driver.type("^U 'another' Enter")
        #expect(driver.state.views.last?.name == "another")
        #expect(driver.state.views.last?.query == "in")
    }

    @Test(
        "a view that is not saved after all gives the keys back to the items",
        arguments: ["Esc", "Enter"])
    func savingCancelled(end: String) async {
        let driver = await driver()
        driver.type("g 1 l g v \(end)")
        #expect(driver.state.ui.pane == .items)
        #expect(driver.state.ui.mode.isNormal)
        #expect(driver.state.views.count == 3)
    }

    @Test("a new view undone brings back the row and what was shown, and redone is chosen again")
    func savingUndone() async {
        let driver = await driver()
        driver.type("/ 'in' Enter h G")
        let names = driver.names
        driver.type("g v 'new' Enter")
        #expect(driver.state.views.count == 4)
        driver.type("u")
        #expect(driver.state.views.count == 3)
        #expect(driver.state.selectedTag?.name == "classic")
        #expect(driver.state.ui.filter == "in")
        #expect(driver.names == names)
        driver.type("U")
        #expect(driver.state.selectedView?.name == "new")
    }

    @Test("views are renamed, reordered and deleted in their rows, and undo takes each back")
    func edits() async {
        let driver = await driver()
        let views = driver.state.views.values
        driver.type("h g g r ^U 'Swift!' Enter")
        #expect(driver.state.selectedView?.name == "Swift!")
        driver.type("J")
        #expect(driver.state.views.values.map(\.name) == ["open", "Swift!", "lost"])
        #expect(markedRow(driver) == "2 Swift! 1")
        driver.type("K Alt-↓ d d")
        #expect(driver.state.ui.mode.isNormal)
        #expect(driver.state.ui.toast?.text == "Deleted view “Swift!”")
        #expect(driver.state.views.values.map(\.name) == ["open", "lost"])
        #expect(driver.state.selectedView?.name == "lost")
        driver.type("u")
        #expect(driver.state.selectedView?.name == "Swift!")
        #expect(driver.state.ui.filter == "#swift")
        driver.type("u u")
        #expect(driver.state.views.values == views)
        #expect(driver.state.tags.values == Fixtures.readingList().tags)
        await driver.store.flush()
        #expect(await driver.storage.loadViews() == views)
    }

    @Test("undo of a rename leaves what was changed on the chosen view as it is")
    func undoOfRename() async {
        let driver = await driver()
        driver.type("g 1 h r '!' Enter H u")
        #expect(driver.state.selectedView?.name == "swift")
        #expect(driver.state.ui.hidesDone)
    }

    @Test("the last view deleted leaves what was shown before it")
    func deletingAll() async {
        let driver = await driver()
        driver.type("H h g g d d d d d d")
        #expect(driver.state.views.isEmpty)
        #expect(driver.state.chosenRow == .choice(.all))
        #expect(driver.state.ui.hidesDone)
        driver.type("g 1")
        #expect(
            driver.state.ui.toast?.text == "No saved views; gv makes one of what is shown")
    }

    @Test("keys of tags do nothing to views, nor to the tag of one")
    func colours() async {
        let driver = await driver()
        driver.type("h g g j c C")
        #expect(driver.state.ui.toast?.text == "Views have no colour")
        #expect(driver.state.tags.values == Fixtures.readingList().tags)
        driver.type("j j r")
        #expect(driver.state.ui.toast?.text == "This row is not a tag")
    }

    @Test("an item added on a view with a tag has that tag")
    func adding() async {
        let driver = await driver()
        driver.type("g 2 a 'new' Enter")
        #expect(driver.state.selectedItem?.tags == [Fixtures.id(101)])
    }

    @Test("undo of a deleted tag brings its view what it chose, and shows the tag")
    func deletedTag() async {
        let driver = await driver()
        driver.type("g 2")
        driver.store.send(.tags(.delete(Fixtures.id(101))))
        #expect(driver.state.selectedView?.choice == .all)
        #expect(driver.state.showsChosenView)
        driver.type("h u")
        #expect(driver.state.selectedTag?.name == "book")
        #expect(driver.names.count == 3)
        #expect(driver.state.views.values[1].choice == .tag(Fixtures.id(101)))
    }

    @Test(
        "views are drawn",
        arguments: [
            ("views", "h g g"), ("view-changed", "g 2 H h"), ("view-adding", "j g v 'to_read'"),
            ("view-renaming", "h g g j r '_books'"), ("view-faulty", "g 3"),
        ])
    func screens(name: String, keys: String) async throws {
        let driver = await driver()
        driver.type(keys)
        try expectGolden(driver.canvas, name)
    }
}
