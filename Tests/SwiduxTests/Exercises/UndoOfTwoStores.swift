import Swidux
import SwiduxTesting
import Testing

nonisolated struct Label: Identifiable, Equatable {
    let id: String
}

nonisolated struct Page: Identifiable, Equatable {
    let id: Int
    var label: String?
}

nonisolated struct Notebook: Equatable {
    var labels = EntityStore<Label>()
    var pages = EntityStore<Page>()
}

nonisolated enum NotebookAction: Equatable {
    case removeLabel(String)
    case undo
    case redo
}

@MainActor let notebookReducer = Reduce<Notebook, NotebookAction, NotebookAction, Void> {
    notebook, action, _ in
    guard case .removeLabel(let label) = action else { return nil }
    notebook.labels[label] = nil
    for page in notebook.pages where page.label == label {
        notebook.pages.modify(page.id) { $0.label = nil }
    }
    return nil
}

@MainActor func makeNotebookUndo() -> UndoHistory<Notebook, NotebookAction> {
    UndoHistory(
        tracks: [UndoTrack(\.labels), UndoTrack(\.pages)],
        classify: { action, _ in
            switch action {
            case .removeLabel: .command(name: "remove label")
            case .undo: .undo
            case .redo: .redo
            }
        })
}

@MainActor
@Suite("Exercise: undo over two stores", .timeLimit(.minutes(1))) struct UndoOfTwoStoresTests {
    @Test("one undo brings back the label and its pages")
    func undo() async {
        let notebook = Notebook(
            labels: EntityStore([Label(id: "work"), Label(id: "home")]),
            pages: EntityStore([Page(id: 1, label: "home"), Page(id: 2, label: "work")]))
        let store = TestStore(
            initialState: notebook, reducer: notebookReducer, environment: (),
            undo: makeNotebookUndo())
        store.send(.removeLabel("home")) {
            $0.labels["home"] = nil
            $0.pages[1]?.label = nil
        }
        store.send(.undo) { $0 = notebook }
        store.send(.redo) {
            $0.labels["home"] = nil
            $0.pages[1]?.label = nil
        }
        await store.finish()
    }
}
