import SheafList
import SheafTestSupport
import Testing

@testable import SheafTUI

/// Keys for saved views, in their rows above the tags.
@MainActor
@Suite("Keys about saved views")
struct KeyViewTests {
    private func driver() async -> Driver {
        let (tags, views, items) = Driver.viewList()
        return await Driver(tags: tags, views: views, items: items)
    }

    @Test("a view that was renamed elsewhere after the question is not replaced")
    func renamedAfterQuestion() async {
        let view = Fixtures.view(1, query: "#x")
        let driver = await Driver(views: [view], items: Fixtures.items(["a"]))
        driver.type("g v '\(view.name.replacing(" ", with: "_"))' Enter")
        #expect(driver.text.contains("Replace view"))
        var theirs = view
        theirs.name = "precious"
        driver.store.send(.saving(.arrived(Arrival(StorageChanges(views: [theirs])))))
        driver.type("y")
        #expect(driver.state.views.values == [theirs])
        #expect(driver.state.ui.toast?.text.contains("was renamed by another process") == true)
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
        #expect(driver.state.ui.viewSettings.filter == "#\"Swift 6\"")
        #expect(driver.state.showsChosenView)
        #expect(driver.names == names)
        // Undo goes to the tag, which leaves the view.
        driver.type("u")
        #expect(driver.state.views.map(\.query) == ["#swift", "", "#gone"])
        #expect(driver.state.ui.viewSettings.filter == "-#swift")
        #expect(driver.state.query.error == nil)
        driver.type("^R")
        #expect(driver.state.ui.viewSettings.filter == "-#\"Swift 6\"")
        #expect(driver.state.query.error == nil)
        // The typed query stays, but not the query that comes back after it.
        driver.type("/ ^U '#swift'")
        rename("x")
        #expect(driver.state.ui.viewSettings.filter == "#swift")
        #expect(driver.state.query.error?.reason == "no tag is named #swift")
        driver.type("Esc")
        #expect(driver.state.ui.viewSettings.filter == "-#x")
        driver.type("Esc / Alt-↑")
        #expect(driver.state.ui.mode.line?.text == "-#x")
    }

    @Test("a view that becomes faulty while it is shown says so")
    func becomesFaulty() async {
        let driver = await driver()
        driver.type("g 1")
        driver.store.send(.tags(.delete(Fixtures.id(102))))
        #expect(driver.markedTagRow == "1 swift *")
    }

    @Test("edits of views that are undone leave storage as it was")
    func undoneEdits() async throws {
        let driver = await driver()
        let views = driver.state.views.values
        driver.type("h g g r ^U 'Swift!' Enter J K Alt-↓ d d u u u")
        await driver.store.flush()
        #expect(try await driver.storage.loadViews() == views)
    }

    @Test(
        "a chosen tag that is deleted elsewhere is told of, and its list is not saved as a view",
        arguments: [false, true])
    func deletedElsewhere(whileNamed: Bool) async throws {
        let driver = await driver()
        driver.type("h G")
        let tag = try #require(driver.state.shownTag)
        if whileNamed { driver.type("g v 'mine'") }
        var changes = StorageChanges()
        changes.tags.delete(tag)
        driver.store.send(.saving(.arrived(Arrival(changes))))
        #expect(
            driver.state.ui.toast?.text == "\(tag.label) was deleted by another process")
        let views = driver.state.views.values
        driver.type(whileNamed ? "Enter" : "g v")
        #expect(driver.state.ui.mode.isNormal)
        #expect(driver.state.views.values == views)
        #expect(driver.state.ui.toast?.text == "Cannot save the view: its tag was deleted")
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
}
