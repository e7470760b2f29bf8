import Foundation
import Swidux
import Testing

private struct Bookcase: Identifiable, Equatable, Sendable {
    let id: UUID
}

private struct Book: Identifiable, Equatable, Sendable {
    let id: UUID
    var title = "book"
    var bookcase: Bookcase.ID?
}

private struct Library: Equatable, Sendable {
    var bookcases = EntityStore<Bookcase>()
    var books = EntityStore<Book>()
}

private enum LibraryAction: Sendable {
    case edit(@Sendable (inout Library) -> Void)
    case arrived(@Sendable (inout Library) -> Void)
    case undo
}

private struct LibraryReducer: SwiduxReducer {
    func reduce(
        state: inout Library, action: LibraryAction, environment: Void
    ) -> Effect<LibraryAction>? {
        switch action {
        case .edit(let change), .arrived(let change): change(&state)
        case .undo: break
        }
        return nil
    }
}

@MainActor
@Suite("Ties of a library") struct TiesTests {
    @Test("a bookcase stays with its books")
    func bookcase() {
        let tracks: [UndoTrack<Library>] = [
            UndoTrack(
                \.bookcases,
                ties: { before, after in
                    guard (before == nil) != (after == nil), let bookcase = before ?? after else {
                        return UndoTies()
                    }
                    return UndoTies(provides: [bookcase.id])
                }),
            UndoTrack(
                \.books,
                ties: { before, after in
                    UndoTies(needs: [before?.bookcase, after?.bookcase].compactMap(\.self))
                }),
        ]
        let books = (1...2).map { Book(id: .numbered($0)) }
        let bookcase = Bookcase(id: .numbered(9))
        let store = Store(
            initialState: Library(books: EntityStore(books)), reducer: LibraryReducer(),
            environment: (),
            undo: UndoHistory(
                tracks: tracks,
                classify: { action, _ in
                    switch action {
                    case .edit: .command(name: "shelve")
                    case .arrived: .ignored
                    case .undo: .undo
                    }
                }))
        store.send(
            .edit { state in
                state.bookcases[bookcase.id] = bookcase
                for book in books { state.books.modify(book.id) { $0.bookcase = bookcase.id } }
            })
        store.send(.arrived { $0.books.modify(books[0].id) { $0.title = "theirs" } })
        let shelved = store.state
        store.send(.undo)
        #expect(store.state == shelved)
    }
}
