import Foundation

/// The document's environment and databases: actors over dictionaries.
extension Seed001 {
    enum AnalyticsEvent: Sendable { case itemCreated, itemDeleted }

    protocol AnalyticsServiceProtocol: Sendable {
        func track(event: AnalyticsEvent) async
    }

    protocol PreferencesServiceProtocol: Sendable {
        func getSelectedItemID() async -> UUID?
        func setSelectedItemID(_ id: UUID?) async
    }

    struct Logger: Sendable {
        let sink: @Sendable (String) -> Void

        func error(_ message: String) { sink(message) }
    }

    struct AppEnvironment: Sendable {
        let analytics: any AnalyticsServiceProtocol
        let preferences: any PreferencesServiceProtocol
        let logger: Logger

        static func mock() -> AppEnvironment {
            AppEnvironment(
                analytics: MockAnalyticsService(),
                preferences: MockPreferencesService(),
                logger: Logger { _ in }
            )
        }
    }

    actor MockAnalyticsService: AnalyticsServiceProtocol {
        private(set) var events: [AnalyticsEvent] = []

        func track(event: AnalyticsEvent) { events.append(event) }
    }

    actor MockPreferencesService: PreferencesServiceProtocol {
        private var selectedItemID: UUID?

        init(selectedItemID: UUID? = nil) { self.selectedItemID = selectedItemID }

        func getSelectedItemID() -> UUID? { selectedItemID }
        func setSelectedItemID(_ id: UUID?) { selectedItemID = id }
    }

    protocol ItemDBProtocol: Sendable {
        func fetchAll() async throws -> [Item]
        func upsert(_ item: Item) async throws
        func delete(id: UUID) async throws
    }

    protocol TagDBProtocol: Sendable {
        func fetchAll() async throws -> [Tag]
        func upsert(_ tag: Tag) async throws
        func delete(id: UUID) async throws
    }

    actor ItemDB: ItemDBProtocol {
        private var rows: [UUID: Item] = [:]
        private(set) var writes = 0

        init(_ items: [Item] = []) {
            for item in items { rows[item.id] = item }
        }

        func fetchAll() -> [Item] { rows.values.sorted { $0.sortIndex < $1.sortIndex } }

        func upsert(_ item: Item) {
            writes += 1
            if let existing = rows[item.id] {
                rows[item.id] = Item(
                    id: item.id, name: item.name, sortIndex: item.sortIndex,
                    createdAt: existing.createdAt)
            } else {
                rows[item.id] = item
            }
        }

        func delete(id: UUID) {
            writes += 1
            rows[id] = nil
        }
    }

    actor TagDB: TagDBProtocol {
        private var rows: [UUID: Tag] = [:]

        init(_ tags: [Tag] = []) {
            for tag in tags { rows[tag.id] = tag }
        }

        func fetchAll() -> [Tag] { rows.values.sorted { $0.name < $1.name } }
        func upsert(_ tag: Tag) { rows[tag.id] = tag }
        func delete(id: UUID) { rows[id] = nil }
    }

    actor MockItemDB: ItemDBProtocol {
        func fetchAll() async throws -> [Item] { [] }
        func upsert(_ item: Item) async throws {}
        func delete(id: UUID) async throws {}
    }

    struct Unreadable: Error {}

    actor UnreadableItemDB: ItemDBProtocol {
        func fetchAll() async throws -> [Item] { throw Unreadable() }
        func upsert(_ item: Item) async throws { throw Unreadable() }
        func delete(id: UUID) async throws { throw Unreadable() }
    }
}
