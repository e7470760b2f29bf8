import Swidux
import SwiduxJSON
import SwiduxTesting
import Testing

nonisolated struct Film: Identifiable, Equatable, Codable {
    let id: Int
    var title: String
}

nonisolated struct FilmList: Equatable {
    var films = EntityStore<Film>()
}

nonisolated enum FilmAction: Equatable {
    case add(Film)
    case remove(Int)
}

func reduceFilms(_ list: inout FilmList, _ action: FilmAction) {
    switch action {
    case .add(let film): list.films.append(film)
    case .remove(let id): list.films[id] = nil
    }
}

@MainActor func openFilms(at path: String) throws -> Store<FilmList, FilmAction, Void> {
    try Store(
        initialState: FilmList(), reducer: Reduce(reduceFilms), environment: (),
        keeping: [Kept("films", \.films)], in: JSONFile(path, format: "films"))
}

@MainActor
@Suite("Exercise: a durable list", .timeLimit(.minutes(1))) struct DurableListTests {
    private let metropolis = Film(id: 1, title: "Metropolis")
    private let m = Film(id: 2, title: "M")

    @Test("the list is there at the next start")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("films.json")
        try await edit(path)
        let reopened = try await openedAgain { try openFilms(at: path) }
        #expect(reopened.state.films.values == [m])
    }

    private func edit(_ path: String) async throws {
        let store = try openFilms(at: path)
        for film in [metropolis, m] { store.send(.add(film)) }
        store.send(.remove(metropolis.id))
        await store.flush()
        #expect(store.saveStatus.phase == .saved)
    }

    @Test("every change is expected")
    func changes() async {
        let store = TestStore(
            initialState: FilmList(), reducer: Reduce(reduceFilms), environment: ())
        store.send(.add(m)) { $0.films.append(m) }
        store.send(.remove(m.id)) { $0.films[m.id] = nil }
        await store.finish()
    }
}
