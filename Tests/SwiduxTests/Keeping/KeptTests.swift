import Foundation
import Swidux
import SwiduxJSON
import Testing

private struct Weight: Identifiable, Equatable, Codable {
    var id: Int
    var kilograms: Double
}

private struct Tag: Identifiable, Equatable, Codable {
    var id: String
}

private struct Note: Identifiable, Equatable, Codable {
    var id: Int
    var text: String
    /// Missing in the keys below.
    var colour = "white"

    enum CodingKeys: String, CodingKey {
        case id, text
    }
}

private struct Scales {
    var weights = EntityStore<Weight>()
    var tags = EntityStore<Tag>()
}

private enum ScalesAction {
    case weigh(Int, Double)
    case tag(String)
}

@MainActor
@Suite("Kept stores") struct KeptTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(
        _ initial: Scales = Scales(), options: PersistenceOptions = PersistenceOptions()
    ) async throws -> Store<Scales, ScalesAction, Void> {
        try await openedAgain {
            try Store(
                initialState: initial,
                reducer: Reduce { state, action in
                    switch action {
                    case .weigh(let id, let weight):
                        state.weights[id] = Weight(id: id, kilograms: weight)
                    case .tag(let id): state.tags[id] = Tag(id: id)
                    }
                },
                environment: (),
                keeping: [Kept("tags", \.tags), Kept("weights", \.weights)],
                in: JSONFile(folder.file("scales.json"), format: "scales"), options: options)
        }
    }

    @Test("a value that JSON cannot hold is refused for itself, and the rest is saved")
    func refusal() async throws {
        var store: Store? = try await open()
        store?.send(.weigh(1, 80))
        store?.send(.weigh(2, .nan))
        store?.send(.tag("home"))
        await store?.persistence?.flush()
        let status = try #require(store?.persistence?.status)
        #expect(status.phase == .failing)
        #expect(status.refused.map { $0.id(as: Int.self) } == [2])
        #expect(status.refused.first?.id(as: String.self) == nil)
        store?.send(.weigh(2, 81.5))
        await store?.persistence?.flush()
        #expect(store?.persistence?.status.phase == .saved)
        let shown = store?.state.weights.values
        store = nil
        let next = try await open()
        #expect(next.state.weights.values == shown)
        #expect(next.state.tags.map(\.id) == ["home"])
    }

    @Test("a new file begins with the entities of the initial state, an old one replaces them")
    func beginning() async throws {
        var initial = Scales()
        initial.tags["home"] = Tag(id: "home")
        var store: Store? = try await open(initial)
        #expect(store?.state.tags.map(\.id) == ["home"])
        #expect(store?.persistence?.status.phase == .saved)
        store?.send(.tag("work"))
        await store?.persistence?.flush()
        store = nil
        initial.tags["other"] = Tag(id: "other")
        #expect(try await open(initial).state.tags.map(\.id) == ["home", "work"])
    }

    @Test("an entity that the file would bring back otherwise is refused")
    func loss() async throws {
        let store = try Store(
            initialState: EntityStore<Note>(), reducer: Reduce { $0[$1.id] = $1 }, environment: (),
            keeping: [Kept("notes", \.self)], in: JSONFile(folder.file("notes"), format: "notes"))
        store.send(Note(id: 1, text: "plain"))
        store.send(Note(id: 2, text: "red", colour: "red"))
        await store.persistence?.flush()
        #expect(store.persistence?.status.refused.map(\.id) == [AnyID(2)])
        #expect(store.persistence?.status.reasonNotSaved?.contains("colour") == true)
        #expect(try folder.text(of: "notes").contains("plain"))
        #expect(try !folder.text(of: "notes").contains("red"))
    }

    @Test("what is in the file is all that there is to load")
    func loaded() async throws {
        let store = try await open(options: PersistenceOptions(waitsForHydration: true))
        store.send(.tag("home"))
        await store.persistence?.flush()
        #expect(store.persistence?.status.phase == .saved)
    }

    @Test("entities without a rank keep the order of their insertion")
    func order() async throws {
        var store: Store? = try await open()
        for id in [3, 1, 2] { store?.send(.weigh(id, 1)) }
        await store?.persistence?.flush()
        store?.send(.weigh(1, 2))
        await store?.persistence?.flush()
        store = nil
        #expect(try await open().state.weights.map(\.id) == [3, 1, 2])
    }
}
