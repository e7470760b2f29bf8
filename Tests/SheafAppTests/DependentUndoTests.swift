import Foundation
import SheafTestSupport
import Swidux
import Testing

@testable import SheafApp
@testable import SheafList

/// Undo of steps whose parts depend on each other, after another process has changed one of them.
@Suite("Undo of parts that depend on each other")
@MainActor
struct DependentUndoTests {
    private var items = Fixtures.items(["Pay the rent", "Water plants", "other"])
    private let tags = Fixtures.tags(["red", "blue"])
    private let view = Fixtures.view(1, "reds", query: "#red")

    init() {
        for index in 0...1 { items[index].repeat = Repeat("1w") }
        for index in 0...2 { items[index].tags = [tags[0].id] }
    }

    private func store(maxAtOnce: Int = 1_000) -> AppStore {
        // Toasts stay, so that they can be read.
        var environment = AppEnvironment.fixture(sleep: { _ in throw CancellationError() })
        environment.maxChangedAtOnce = maxAtOnce
        var state = AppState()
        state.items = EntityStore(items)
        state.tags = EntityStore(tags)
        state.views = EntityStore([view])
        state.ui.selectedItem = items[0].id
        return AppStore(initialState: state, environment: environment)
    }

    /// Another process has made `changes` since everything here was saved.
    private func arrive(_ changes: StorageChanges, in store: AppStore) async {
        await store.flush()
        store.send(.saving(.arrived(Arrival(changes))))
    }

    /// Another process renames an item.
    private func rename(_ id: Item.ID, in store: AppStore) async throws {
        var item = try #require(store.state.items[id])
        item.name = "theirs"
        await arrive(StorageChanges(items: [item]), in: store)
    }

    private func undo(_ store: AppStore) -> String? {
        store.send(.history(.undoRequested))
        return store.state.ui.toast?.text
    }

    private func redo(_ store: AppStore) -> String? {
        store.send(.history(.redoRequested))
        return store.state.ui.toast?.text
    }

    @Test("a finish stays as it is where its next item has changed, and is no longer in the way")
    func nextChanged() async throws {
        let store = store()
        store.send(.items(.rename(items[2].id, newName: "earlier")))
        store.send(.items(.doneToggled))
        try await rename(items[0].nextID, in: store)
        let finished = store.state.items.values
        #expect(undo(store) == "Cannot undo done: “theirs” was changed since")
        #expect(store.state.ui.toast?.isAlert == true)
        #expect(store.state.items.values == finished)
        #expect(undo(store) == "Undid: rename")
        #expect(store.state.items[items[2].id]?.name == "other")
        #expect(redo(store) == "Redid: rename")
        #expect(redo(store) == "Nothing to redo")
        #expect(store.state.items[items[0].id]?.isDone == true)
    }

    @Test("an undone finish is not redone where its item has changed")
    func redone() async throws {
        let store = store()
        store.send(.items(.doneToggled))
        #expect(undo(store) == "Undid: done")
        try await rename(items[0].id, in: store)
        let undone = store.state.items.values
        #expect(redo(store) == "Cannot redo done: “theirs” was changed since")
        #expect(store.state.items.values == undone)
    }

    @Test("an item that is open again gets its done state and its next item back, or neither")
    func reopened() async throws {
        let store = store()
        store.send(.items(.doneToggled))
        store.send(.items(.doneToggled))
        try await rename(items[0].id, in: store)
        #expect(undo(store) == "Cannot undo done: “theirs” was changed since")
        #expect(!store.state.items.contains(items[0].nextID))
        #expect(store.state.items[items[0].id]?.isDone == false)
    }

    @Test("a finish that made room for its next item is undone with that, or not")
    func room() async throws {
        var items = items
        for index in items.indices { items[index].rank = Fixtures.rank(1) }
        var state = AppState()
        state.items = EntityStore(items)
        state.ui.selectedItem = items[0].id
        let store = AppStore(initialState: state, environment: .fixture())
        store.send(.items(.doneToggled))
        #expect(store.state.items[items[1].id]?.rank != Fixtures.rank(1))
        try await rename(items[0].id, in: store)
        let finished = store.state.items.values
        #expect(undo(store) == "Cannot undo done: “theirs” was changed since")
        #expect(store.state.items.values == finished)
    }

    @Test("of many that were finished only those stay that have changed, with their next ones")
    func many() async throws {
        let store = store()
        store.send(.marks(.allMarked))
        store.send(.items(.doneToggled))
        try await rename(items[1].nextID, in: store)
        #expect(
            undo(store) == "Undid: done, except 2 items: “theirs” was changed since")
        #expect(store.state.items.values.map(\.isDone) == [false, true, false, false])
        let kept = [items[0].id, items[1].id, items[1].nextID, items[2].id]
        #expect(store.state.items.values.map(\.id) == kept)
    }

    @Test("a deleted next item is named as a reason beside a changed one")
    func manyReasons() async throws {
        let store = store()
        store.send(.marks(.allMarked))
        store.send(.items(.doneToggled))
        try await rename(items[2].id, in: store)
        var gone = StorageChanges()
        gone.items.delete([items[1].nextID])
        await arrive(gone, in: store)
        let text = try #require(undo(store))
        #expect(text.hasSuffix(": 2 items were changed or deleted since"), "\(text)")
        #expect(store.state.items[items[1].id]?.isDone == true)
    }

    @Test("a tag that others have put on an item meanwhile is not removed", arguments: [0, 2])
    func tagUsedByOthers(items count: Int) async throws {
        let store = store()
        store.send(.tags(.addRequested))
        store.send(.line(.edited(.insert("green"))))
        store.send(.line(.accepted))
        let tag = try #require(store.state.tags.values.last)
        #expect(tag.name == "green")
        for item in items.prefix(count) { store.send(.items(.tagged(item.id, with: tag.id))) }
        var theirs = items[2]
        theirs.tags.insert(tag.id)
        await arrive(StorageChanges(items: [theirs]), in: store)
        for _ in 0..<count { #expect(undo(store)?.hasPrefix("Undid: tag") == true) }
        #expect(undo(store) == "Cannot undo add tag: “green” is used by another process")
        #expect(store.state.tags.contains(tag.id))
        #expect(store.state.items[items[2].id]?.tags.contains(tag.id) == true)
    }

    @Test("an undo that was refused can be tried again, and says why it is refused then")
    func triedAgain() async throws {
        let store = store()
        store.send(.tags(.rename(tags[0].id, newName: "ruby")))
        await makeTagAndView(named: "red", in: store)
        #expect(undo(store) == "Cannot undo rename tag: a tag “red” already exists")
        #expect(store.obstacle(to: .history(.redoRequested)) == "nothing to redo")
        #expect(undo(store) == "Nothing to undo")
        #expect(redo(store) == "Nothing to redo")
        var changed = view
        changed.query = "#ruby is:open"
        var changes = StorageChanges()
        changes.views.upsert([changed])
        changes.tags.delete([Fixtures.id(150)])
        await arrive(changes, in: store)
        #expect(undo(store) == "Cannot undo rename tag: “reds” was changed since")
        changed.query = "#ruby"
        await arrive(StorageChanges(views: [changed]), in: store)
        // A command leaves it in its place.
        store.send(.items(.rename(items[2].id, newName: "later")))
        #expect(undo(store) == "Undid: rename")
        #expect(undo(store) == "Undid: rename tag")
        #expect(store.state.tags[tags[0].id]?.name == "red")
    }

    @Test("a tag that others have taken off again is not in use elsewhere, whoever else has it")
    func noLongerUsed() async throws {
        let store = store()
        store.send(.tagPicker(.opened))
        store.send(.line(.edited(.insert("new"))))
        store.send(.tagPicker(.chosen))
        let made = try #require(store.state.tags.values.last)
        var theirs = items[2]
        var changed = view
        for isUsed in [true, false] {
            theirs.tags = isUsed ? [made.id] : []
            changed.tag = isUsed ? made.id : nil
            let changes = StorageChanges(views: [changed], items: [theirs])
            await arrive(changes, in: store)
            guard isUsed else { continue }
            #expect(undo(store) == "Cannot undo tag: “new” is used by another process")
            #expect(redo(store) == "Nothing to redo")
        }
        #expect(undo(store) == "Undid: tag")
        #expect(!store.state.tags.contains(made.id))
    }

    @Test("a tag that came back is not deleted again once others have used it")
    func deletedTagUsedByOthers() async throws {
        let store = store()
        store.send(.tags(.delete(tags[0].id)))
        #expect(!store.state.tags.contains(tags[0].id))
        #expect(undo(store) == "Undid: delete tag")
        var theirs = Fixtures.item(9, "new")
        theirs.tags = [tags[0].id]
        await arrive(StorageChanges(items: [theirs]), in: store)
        #expect(redo(store) == "Cannot redo delete tag: “red” is used by another process")
        #expect(store.state.items.values.count { $0.tags.contains(tags[0].id) } == 4)
    }

    @Test(
        "undo of a deletion gives items their tag again if an edit has brought back the tag alone")
    func deletedTagBroughtBack() async throws {
        let store = store()
        store.send(.tags(.delete(tags[0].id)))
        var theirs = tags[0]
        theirs.name = "ruby"
        await arrive(StorageChanges(tags: [theirs]), in: store)
        #expect(undo(store) == "Undid: delete tag")
        #expect(store.state.tags[theirs.id] == theirs)
        #expect(store.state.items.values.count { $0.tags.contains(theirs.id) } == 3)
        #expect(redo(store) == "Redid: delete tag")
        #expect(store.state.tags[theirs.id] == nil)
        #expect(undo(store) == "Undid: delete tag")
        #expect(store.state.tags[theirs.id] == theirs)
    }

    @Test("what others did with a tag before does not keep it")
    func usedByOthersBefore() async throws {
        let store = store()
        var theirs = Fixtures.item(9, "new")
        theirs.tags = [tags[0].id]
        await arrive(StorageChanges(items: [theirs]), in: store)
        store.send(.tags(.delete(tags[0].id)))
        #expect(undo(store) == "Undid: delete tag")
        #expect(redo(store) == "Redid: delete tag")
        store.send(.tags(.addRequested))
        store.send(.line(.edited(.insert("green"))))
        store.send(.line(.accepted))
        let tag = try #require(store.state.tags.values.last)
        for tags in [Set([tag.id]), []] {
            theirs.tags = tags
            await arrive(StorageChanges(items: [theirs]), in: store)
        }
        #expect(undo(store) == "Undid: add tag")
    }

    @Test("a tag that was put on many stays on single ones that have changed")
    func tagged() async throws {
        let store = store()
        store.send(.marks(.allMarked))
        store.send(.items(.tagged(items[0].id, with: tags[1].id)))
        try await rename(items[1].id, in: store)
        #expect(undo(store) == "Undid: tag, except 1 item changed since")
        let tagged = store.state.items.values.filter { $0.tags.contains(tags[1].id) }
        #expect(tagged.map(\.id) == [items[1].id])
    }

    @Test(
        "a deleted tag comes back with all of its items, in parts, too, or not at all",
        arguments: [1, 9])
    func tagDeleted(maxAtOnce: Int) async throws {
        let store = store(maxAtOnce: maxAtOnce)
        store.send(.tags(.delete(tags[0].id)))
        await store.settled()
        #expect(!store.state.tags.contains(tags[0].id))
        #expect(!store.state.items.contains { !$0.tags.isEmpty })
        try await rename(items[2].id, in: store)
        store.send(.history(.undoRequested))
        await store.settled()
        #expect(
            store.state.ui.toast?.text
                == "Cannot undo delete tag: “theirs” was changed since")
        #expect(!store.state.tags.contains(tags[0].id))
        #expect(!store.state.items.contains { !$0.tags.isEmpty })
        #expect(store.state.ui.bulk == nil)
    }

    @Test("a deleted item is named as it was")
    func deletedElsewhere() async {
        let store = store()
        store.send(.items(.doneToggled))
        await arrive(StorageChanges(deletingItems: [items[0].nextID]), in: store)
        #expect(undo(store) == "Cannot undo done: “Pay the rent” was deleted since")
        #expect(store.state.items[items[0].id]?.isDone == true)
    }

    @Test("several are counted")
    func counted() async throws {
        let store = store()
        store.send(.tags(.delete(tags[0].id)))
        for item in items[1...] {
            var changed = try #require(store.state.items[item.id])
            changed.note = "theirs"
            await arrive(StorageChanges(items: [changed]), in: store)
        }
        #expect(undo(store) == "Cannot undo delete tag: 2 items were changed since")
    }

    @Test("a tag keeps its new name where a view that asks for it has changed")
    func tagRenamed() async {
        let store = store()
        store.send(.tags(.rename(tags[0].id, newName: "ruby")))
        var changed = view
        changed.query = "#ruby is:open"
        await arrive(StorageChanges(views: [changed]), in: store)
        #expect(undo(store) == "Cannot undo rename tag: “reds” was changed since")
        #expect(store.state.tags[tags[0].id]?.name == "ruby")
        #expect(store.state.views.values == [changed])
    }

    /// A store with a tag that stands in the names of ten items, which a command changes at once or
    /// in parts.
    private func wordStore(maxAtOnce: Int) -> AppStore {
        var environment = AppEnvironment.fixture(sleep: { _ in throw CancellationError() })
        environment.maxChangedAtOnce = maxAtOnce
        var state = AppState()
        state.items = EntityStore(
            (0..<10).map { Fixtures.item($0, "a #red, #Red \($0)", tags: [tags[0].id]) } + items)
        state.tags = EntityStore(tags)
        state.views = EntityStore([view])
        return AppStore(initialState: state, environment: environment)
    }

    @Test("a tag and the words of its items are renamed by one step", arguments: [1_000, 8])
    func tagWordsRenamed(maxAtOnce: Int) async throws {
        let store = wordStore(maxAtOnce: maxAtOnce)
        func names() -> [String] { store.state.items.values.map(\.name) }
        let before = names()
        let renamed = before.map {
            $0.replacing("#red", with: "@ruby").replacing("#Red", with: "@ruby")
        }
        store.send(.tags(.rename(tags[0].id, newName: "@ruby")))
        await store.settled()
        #expect(names() == renamed)
        #expect(store.state.tags[tags[0].id]?.name == "@ruby")
        #expect(store.state.views[view.id]?.query == "@ruby")
        #expect(store.state.items[items[2].id] == items[2])
        _ = undo(store)
        await store.settled()
        #expect(store.state.ui.toast?.text == "Undid: rename tag")
        #expect(names() == before)
        #expect(store.state.tags[tags[0].id]?.name == "red")
        #expect(store.state.views[view.id]?.query == "#red")
        _ = redo(store)
        await store.settled()
        #expect(names() == renamed)
        try await rename(Fixtures.itemID(0), in: store)
        _ = undo(store)
        await store.settled()
        #expect(
            store.state.ui.toast?.text == "Cannot undo rename tag: “theirs” was changed since")
        #expect(store.state.items[Fixtures.itemID(1)]?.name == "a @ruby, @ruby 1")
    }

    @Test("a tag is renamed where no name has its word", arguments: [1_000, 1])
    func tagWithoutWords(maxAtOnce: Int) async {
        let store = store(maxAtOnce: maxAtOnce)
        store.send(.tags(.rename(tags[0].id, newName: "ruby")))
        await store.settled()
        #expect(store.state.tags[tags[0].id]?.name == "ruby")
        #expect(store.state.ui.bulk == nil)
    }

    @Test("a tag and the words of its items are deleted by one step", arguments: [1_000, 8])
    func tagWordsDeleted(maxAtOnce: Int) async {
        let store = wordStore(maxAtOnce: maxAtOnce)
        let before = store.state.items.values
        store.send(.tags(.delete(tags[0].id)))
        await store.settled()
        #expect(store.state.items[Fixtures.itemID(0)]?.name == "a red, Red 0")
        _ = undo(store)
        await store.settled()
        #expect(store.state.ui.toast?.text == "Undid: delete tag")
        #expect(store.state.items.values == before)
    }

    @Test("undo and redo of a tag's new name rename it in views that other processes have made")
    func tagRenamedInOtherViews() async {
        let store = store()
        func queries() -> [String] { store.state.views.values.map(\.query) }
        store.send(.tags(.rename(tags[0].id, newName: "rot")))
        let theirs = Fixtures.view(2, "theirs", query: "#rot -m01 #blue")
        await arrive(StorageChanges(views: [theirs]), in: store)
        #expect(undo(store) == "Undid: rename tag")
        #expect(queries() == ["#red", "#red -m01 #blue"])
        #expect(redo(store) == "Redid: rename tag")
        #expect(queries() == ["#rot", "#rot -m01 #blue"])
    }

    @Test("a tag that was made for an item stays where that has changed")
    func tagMade() async throws {
        let store = store()
        store.send(.tagPicker(.opened))
        store.send(.line(.edited(.insert("new"))))
        store.send(.tagPicker(.chosen))
        let made = try #require(store.state.tags.values.last)
        #expect(made.name == "new")
        try await rename(items[0].id, in: store)
        #expect(undo(store) == "Cannot undo tag: “theirs” was changed since")
        #expect(store.state.tags.contains(made.id))
        #expect(store.state.items[items[0].id]?.tags.contains(made.id) == true)
    }

    // MARK: Names that others have taken

    /// Another process makes a tag, and a view of the same name.
    private func makeTagAndView(named name: String, in store: AppStore) async {
        let tag = Tag(id: Fixtures.id(150), name: name, color: .red, rank: Fixtures.rank(9))
        var changes = StorageChanges()
        changes.tags.upsert([tag])
        changes.views.upsert([Fixtures.view(2, name, query: "")])
        await arrive(changes, in: store)
    }

    @Test("a tag does not get its old name back where another tag has that, nor do queries")
    func formerNameTaken() async {
        let store = store()
        store.send(.tags(.rename(tags[0].id, newName: "Cafe\u{301}")))
        store.send(.tags(.rename(tags[0].id, newName: "ruby")))
        #expect(store.state.views.first?.query == "#ruby")
        await makeTagAndView(named: "CAFÉ", in: store)
        let (tags, views) = (store.state.tags.values, store.state.views.values)
        #expect(undo(store) == "Cannot undo rename tag: a tag “CAFÉ” already exists")
        #expect(store.state.ui.toast?.isAlert == true)
        #expect(store.state.tags.values == tags)
        #expect(store.state.views.values == views)
    }

    @Test("a tag is not renamed again where another tag has got the name")
    func newNameTaken() async {
        let store = store()
        store.send(.tags(.rename(tags[0].id, newName: "ruby")))
        #expect(undo(store) == "Undid: rename tag")
        await makeTagAndView(named: "Ruby", in: store)
        #expect(redo(store) == "Cannot redo rename tag: a tag “Ruby” already exists")
        #expect(store.state.tags[tags[0].id] == tags[0])
        #expect(store.state.views[view.id] == view)
    }

    @Test("a tag that only changes its case back has its own name")
    func ownName() {
        let store = store()
        store.send(.tags(.rename(tags[0].id, newName: "Red")))
        #expect(undo(store) == "Undid: rename tag")
        #expect(store.state.tags[tags[0].id]?.name == "red")
    }

    @Test("a deleted tag does not come back where another tag has its name, and no item gets it")
    func deletedNameTaken() async {
        let store = store()
        store.send(.tags(.delete(tags[0].id)))
        await makeTagAndView(named: "Red", in: store)
        #expect(undo(store) == "Cannot undo delete tag: a tag “Red” already exists")
        #expect(!store.state.tags.contains(tags[0].id))
        #expect(!store.state.items.contains { !$0.tags.isEmpty })
    }

    @Test("neither a deleted nor a renamed view comes to have the name of another")
    func viewNameTaken() async {
        for action in [ViewAction.delete(view.id), .rename(view.id, newName: "mine")] {
            let store = store()
            store.send(.views(action))
            let changed = store.state.views[view.id]
            await makeTagAndView(named: "Reds", in: store)
            let name = if case .delete = action { "delete view" } else { "rename view" }
            #expect(undo(store) == "Cannot undo \(name): a view “Reds” already exists")
            #expect(store.state.views[view.id] == changed)
        }
    }
}
