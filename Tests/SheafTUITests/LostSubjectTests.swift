import SheafList
import SheafTestSupport
import Testing

/// Keys about an entity that another process deletes or renames before they are typed.
@Suite("Keys about what another process takes away")
@MainActor
struct LostSubjectTests {
    private let tags = Fixtures.tags(["aaa", "bbb", "ccc"])

    private func arrive(_ driver: Driver, _ change: (inout StorageChanges) -> Void) {
        var changes = StorageChanges()
        change(&changes)
        driver.store.send(.saving(.arrived(Arrival(changes))))
    }

    private func message(_ driver: Driver) -> String? { driver.state.ui.toast?.text }

    @Test("keys that come with an edit which moves its item away are not for the next one")
    func replacedByEdit() async {
        let names = ["a", "b", "c", "d", "e", "f"]
        let driver = await Driver(items: Fixtures.items(names))
        driver.type("s n j")
        driver.typeAtOnce("r ^U 'zz' Enter d d")
        #expect(driver.names == ["a", "c", "d", "e", "f", "zz"])
        #expect(message(driver) == "Keys dropped: the selection moved")
        driver.type("d d")
        #expect(driver.names == ["a", "d", "e", "f", "zz"])
        // A key after an edit that no key in the same read made is not dropped.
        driver.store.send(.items(.rename(Fixtures.id(4), newName: "zzz")))
        driver.type("x")
        #expect(driver.state.items.values.filter(\.isDone).map(\.name) == ["e"])
    }

    @Test("a count is dropped once if another row may be among the counted ones by now")
    func counted() async {
        let driver = await Driver(items: Fixtures.items(["one", "two", "three", "four"]))
        driver.type("3")
        var moved = driver.state.items.values[3]
        moved.rank = Rank.between(
            driver.state.items.values[0].rank, driver.state.items.values[1].rank)
        arrive(driver) { $0.items.upsert(moved) }
        driver.type("x")
        #expect(message(driver) == "Keys dropped: the list was changed by another process")
        #expect(driver.state.items.values.allSatisfy { !$0.isDone })
        driver.pause()
        driver.type("2 x")
        #expect(driver.state.items.values.filter(\.isDone).map(\.name) == ["one", "four"])
    }

    @Test("a query that names a deleted tag is told to find other items now")
    func queriedTagDeleted() async {
        var items = Fixtures.items(["one", "two"])
        items[0].tags = [tags[1].id]
        let driver = await Driver(tags: tags, items: items)
        driver.type("/ '-#bbb' Enter")
        #expect(driver.names == ["two"])
        items[0].tags = []
        arrive(driver) {
            $0.tags.delete([tags[1].id])
            $0.items.upsert([items[0]])
        }
        #expect(driver.names == ["one", "two"])
        #expect(message(driver) == "#bbb was deleted by another process, and the query names it")
        #expect(driver.state.ui.toast?.isAlert == true)
    }

    @Test(
        "a command about rows that came in with a deleted or merged tag is refused once",
        arguments: ["g 1", "/ '-#bbb' Enter h j j l"], [false, true])
    func rowsOfChoice(_ keys: String, isMerge: Bool) async {
        var items = Fixtures.items(["one", "two"])
        items[0].tags = [tags[0].id, tags[1].id]
        items[1].tags = [tags[0].id]
        let view = Fixtures.view(1, "V", query: "-#bbb")
        let driver = await Driver(tags: tags, views: [view], items: items)
        driver.type(keys)
        #expect(driver.names == ["two"])
        items[0].tags.remove(tags[1].id)
        if isMerge { items[0].tags.insert(tags[2].id) }
        arrive(driver) {
            $0.tags.delete([tags[1].id])
            $0.items.upsert([items[0]])
        }
        #expect(driver.names == ["one", "two"])
        driver.type("^A")
        #expect(driver.state.ui.marks.isEmpty)
        #expect(
            message(driver)
                == "Keys dropped: #bbb was deleted by another process, and the query names it")
        driver.pause()
        driver.type("^A x")
        #expect(driver.state.items.values.allSatisfy { $0.isDone })
    }

    @Test("a command about the rows is refused once after another process changed their view")
    func rowsOfChangedView() async {
        var view = Fixtures.view(1, "V", query: "two")
        let driver = await Driver(views: [view], items: Fixtures.items(["one", "two"]))
        driver.type("g 1")
        #expect(driver.names == ["two"])
        view.query = ""
        arrive(driver) { $0.views.upsert([view]) }
        #expect(driver.names == ["one", "two"])
        #expect(message(driver) == "View “V” was changed by another process")
        driver.type("^A")
        #expect(driver.state.ui.marks.isEmpty)
        #expect(message(driver) == "Keys dropped: view “V” was changed by another process")
        driver.pause()
        driver.type("^A x")
        #expect(driver.state.items.values.allSatisfy { $0.isDone })
    }

    @Test("keys that wait are not for an item that Esc has selected before them")
    func replacedByEscape() async {
        let driver = await Driver(items: Fixtures.items((1...1_500).map { "a\($0)" } + ["b"]))
        await driver.typeSettling("/ 'a' Enter H ^A")
        driver.type("x Esc Esc d d")
        #expect(driver.state.ui.waitingKeys > 0)
        await Driver.wait(for: driver) { driver.state.ui.waitingKeys == 0 }
        #expect(driver.state.items.count == 1_501)
        #expect(message(driver) == "2 keys dropped. The selection moved")
    }

    @Test("a deleted tag under the highlight is refused once", arguments: ["", "'bb'"])
    func pickedTagDeleted(_ typed: String) async {
        let driver = await Driver(tags: tags, items: Fixtures.items(["one"]))
        driver.type("t Down \(typed)")
        arrive(driver) { $0.tags.delete([tags[1].id]) }
        driver.type("Tab")
        #expect(message(driver) == "Cannot tag: #bbb was deleted by another process")
        #expect(driver.text.contains("Cannot tag: #bbb was deleted by another process"))
        #expect(driver.state.items.values[0].tags == [])
        #expect(driver.tagged("bb") == -1)
        driver.type("Enter")
        #expect(driver.state.items.values[0].tags.count == 1)
        #expect(driver.state.ui.mode.isNormal)
    }

    @Test("a renamed tag under the highlight is refused once, and not after a move")
    func pickedTagRenamed() async {
        let driver = await Driver(tags: tags, items: Fixtures.items(["one"]))
        var renamed = tags[1]
        renamed.name = "precious"
        driver.type("t Down")
        arrive(driver) { $0.tags.upsert([renamed]) }
        driver.type("Enter")
        #expect(message(driver) == "Cannot tag: #bbb was renamed to #precious by another process")
        #expect(driver.tagged("precious") == 0)
        driver.type("Enter")
        #expect(driver.tagged("precious") == 1)

        driver.type("t Down")
        arrive(driver) { $0.tags.upsert([tags[1]]) }
        driver.type("Up Down Enter")
        #expect(driver.tagged("bbb") == 0)
    }

    @Test("a tag that another process adds or removes under the highlight is refused once")
    func pickedTagToggled() async {
        var item = Fixtures.items(["one"])[0]
        let driver = await Driver(tags: tags, items: [item])
        driver.type("t Down")
        item.tags = [tags[1].id]
        arrive(driver) { $0.items.upsert([item]) }
        driver.type("Enter")
        #expect(message(driver) == "Cannot tag: #bbb was added by another process")
        #expect(driver.tagged("bbb") == 1)
        driver.type("Enter")
        #expect(driver.tagged("bbb") == 0)
        #expect(driver.state.ui.mode.isNormal)

        await driver.store.flush()
        item.tags = [tags[1].id]
        arrive(driver) { $0.items.upsert([item]) }
        driver.type("t Down")
        item.tags = []
        arrive(driver) { $0.items.upsert([item]) }
        driver.type("Tab")
        #expect(message(driver) == "Cannot tag: #bbb was removed by another process")
        #expect(driver.tagged("bbb") == 0)
        item.tags = [tags[0].id]
        item.name = "two"
        arrive(driver) { $0.items.upsert([item]) }
        driver.type("Tab")
        #expect(driver.tagged("bbb") == 1)
        #expect(driver.tagged("aaa") == 1)
    }

    @Test("a tag that another process creates and adds under the highlight is refused once")
    func createdTagAdded() async {
        var item = Fixtures.items(["one"])[0]
        let driver = await Driver(tags: tags, items: [item])
        driver.type("t 'new'")
        let new = Fixtures.tags(["aaa", "bbb", "ccc", "new"])[3]
        item.tags = [new.id]
        arrive(driver) {
            $0.tags.upsert([new])
            $0.items.upsert([item])
        }
        driver.type("Enter")
        #expect(message(driver) == "Cannot tag: #new was added by another process")
        #expect(driver.tagged("new") == 1)

        let other = await Driver(tags: tags, items: [Fixtures.items(["one"])[0]])
        other.type("t 'new'")
        arrive(other) { $0.tags.upsert([new]) }
        other.type("Enter")
        #expect(other.tagged("new") == 1)
        #expect(other.state.tags.count == 4)
    }

    @Test("a digit after g is about the views that were shown when g was typed")
    func numberedViews() async {
        let views = [
            Fixtures.view(1, "a", query: "a"), Fixtures.view(2, "b", query: "b"),
            Fixtures.view(3, "c", query: "c"),
        ]
        let driver = await Driver(views: views, items: Fixtures.items(["a", "b", "c"]))
        driver.type("g")
        arrive(driver) { $0.views.delete([views[0].id]) }
        driver.type("2")
        #expect(driver.state.selectedView == views[1])
        driver.type("g 1")
        #expect(driver.state.selectedView == views[1])
        driver.type("Esc g")
        arrive(driver) { $0.views.delete([views[2].id]) }
        driver.type("2")
        #expect(driver.state.selectedView == nil)
        #expect(message(driver) == "View 2 was deleted by another process")
        driver.type("g 2")
        #expect(message(driver) == "There is no view 2; the last is 1")
    }

    @Test("an open range keeps its items when another process sorts the view otherwise")
    func rangeOfView() async {
        var view = Fixtures.view(1, "all", query: "")
        view.sort = .manual
        let driver = await Driver(views: [view], items: Fixtures.items(["c", "a", "b"]))
        driver.type("g 1 V j")
        view.sort = .name
        arrive(driver) { $0.views.upsert([view]) }
        #expect(driver.names == ["a", "b", "c"])
        #expect(driver.marked == ["a", "c"])
        #expect(message(driver) == "The range ended: the list was changed by another process")
    }

    @Test("Enter in the menu of sorts is about the highlighted sort, also of another query")
    func highlightedSort() async {
        var view = Fixtures.view(1, "all", query: "a")
        view.sort = .match
        let driver = await Driver(views: [view], items: Fixtures.items(["a", "ab"]))
        driver.type("g 1 s j")
        #expect(driver.text.contains("▌   n name"))
        view.query = ""
        arrive(driver) { $0.views.upsert([view]) }
        #expect(driver.text.contains("▌   n name"))
        driver.type("Enter")
        #expect(driver.state.ui.viewSettings.sort == .name)

        view.query = "b"
        arrive(driver) { $0.views.upsert([view]) }
        driver.type("g 1 s")
        view.query = ""
        arrive(driver) { $0.views.upsert([view]) }
        driver.type("Enter")
        #expect(message(driver) == "Cannot sort by best match: the query has no word")
    }

    @Test("a prompt and a question count what is left of their items")
    func counts() async {
        var items = Fixtures.items(["one", "two", "three"])
        for index in items.indices { items[index].tags = [tags[0].id] }
        let driver = await Driver(tags: tags, items: items)
        driver.type("3 D")
        #expect(driver.text.contains("Due: 3 items"))
        arrive(driver) { $0.items.delete([items[0].id]) }
        #expect(driver.text.contains("Due: 2 items"))
        #expect(driver.text.contains("for 2 items"))
        arrive(driver) { $0.items.delete([items[1].id, items[2].id]) }
        #expect(driver.text.contains("Due: another process deleted the items"))

        let other = await Driver(tags: tags, items: items)
        other.type("D")
        arrive(other) { $0.items.delete([items[0].id]) }
        #expect(other.text.contains("Due: another process deleted the item"))
        #expect(!other.text.contains("1 item"))
        other.type("Esc h j j d d")
        #expect(other.question == "Delete tag “aaa”, used by 2 items?")
        arrive(other) { $0.items.delete([items[1].id]) }
        #expect(other.question == "Delete tag “aaa”, used by 1 item?")
        arrive(other) { $0.items.upsert([items[0], items[1]]) }
        #expect(other.question == "Delete tag “aaa”, used by 3 items?")
        // Yes was said to two.
        other.type("y")
        #expect(other.tagged("aaa") == 3)
        other.type("y")
        #expect(other.tagged("aaa") == -1)
    }

    @Test("a key after the selected view is deleted does not hit the tag below")
    func viewDeleted() async {
        let driver = await Driver(
            tags: tags, views: [Fixtures.view(1, "all", query: "one")],
            items: Fixtures.items(["one"]))
        driver.type("h g g")
        arrive(driver) { $0.views.delete([Fixtures.viewID(1)]) }
        driver.type("d d")
        #expect(message(driver) == "Keys dropped: the selection was deleted by another process")
    }

    @Test(
        "keys behind a choice that failed are dropped, and the reason is told",
        arguments: [
            ("g 2 ^A x", "2 keys dropped. Cannot show view “W”: no tag is named #gone"),
            ("g 2 j d d", "3 keys dropped. Cannot show view “W”: no tag is named #gone"),
            ("g 2 q", "1 key dropped. Cannot show view “W”: no tag is named #gone"),
            ("g 9 d d", "2 keys dropped. There is no view 9; the last is 2"),
            ("h g g j l x", "2 keys dropped. Cannot show view “W”: no tag is named #gone"),
            (
                ": 'saved_view_by' Enter 'W' Enter x",
                "1 key dropped. Cannot show view “W”: no tag is named #gone"
            ),
            ("s b g g d d", "4 keys dropped. Cannot sort by best match: the query has no word"),
            (
                "p r 'new' Enter",
                "5 keys dropped. Nothing to paste: m cuts items, y copies them"
            ),
            (
                "h j j e 'dd' Enter",
                "3 keys dropped. Only a saved view has a query; gv saves a view"
            ),
        ])
    func failedChoice(_ keys: String, _ said: String) async {
        var items = Fixtures.items(["one", "two", "three"])
        items[0].tags = [tags[0].id]
        let driver = await Driver(
            tags: tags,
            views: [
                Fixtures.view(1, "V", query: "o"), Fixtures.view(2, "W", query: "#gone"),
            ], items: items)
        driver.typeAtOnce(keys)
        #expect(message(driver) == said)
        #expect(driver.state.items.values == items)
        #expect(driver.state.tags.count == 3)
        #expect(driver.state.ui.mode.isNormal)
        #expect(driver.state.ui.marks.isEmpty)
        // A frame has shown the selection before the next keys.
        driver.type("l x")
        #expect(driver.state.items.values.count { $0.isDone } == 1)
    }

    @Test("a key after a choice that failed acts on what the screen shows")
    func keyAfterFailedChoice() async {
        let driver = await Driver(
            views: [Fixtures.view(1, "W", query: "#gone")], items: Fixtures.items(["one", "two"]))
        driver.type("g 1")
        #expect(message(driver) == "Cannot show view “W”: no tag is named #gone")
        driver.type("^A x")
        #expect(driver.state.items.values.allSatisfy { $0.isDone })
    }

    @Test("keys behind best matches that cannot be reversed are dropped")
    func failedReversal() async {
        let driver = await Driver(items: Fixtures.items(["one", "two", "on"]))
        driver.type("/ 'o' Enter")
        driver.typeAtOnce("S g g d d")
        #expect(
            message(driver)
                == "4 keys dropped. Cannot reverse best matches; s chooses another sort")
        #expect(driver.state.items.count == 3)
    }
}
