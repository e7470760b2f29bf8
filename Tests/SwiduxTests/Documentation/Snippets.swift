import Foundation
import Swidux
import SwiduxJSON

struct Draft: Equatable, Sendable {
    var text = ""
    var isUploaded = false
    var isPublished = false
}

enum DraftAction: Sendable, Equatable {
    case submit
    case uploaded
    case published
    case cancelled
}

struct DraftEnvironment: Sendable {
    var upload: @Sendable (String) async -> Void
    var publish: @Sendable () async -> Void
}

/// The snippets of the articles beyond the tutorial's program.
enum Snippet {
    /// The first action's end starts the second.
    @MainActor
    static let chained = Reduce<Draft, DraftAction, DraftAction, DraftEnvironment> {
        state, action, environment in
        switch action {
        case .submit:
            let text = state.text
            return { send in
                await environment.upload(text)
                await send(.uploaded)
            }
        case .uploaded:
            state.isUploaded = true
            return { send in
                await environment.publish()
                await send(.published)
            }
        case .published:
            state.isPublished = true
        case .cancelled:
            break
        }
        return nil
    }

    /// One effect after the other.
    static func submission(
        of text: String, _ environment: DraftEnvironment
    ) -> Effect<DraftAction>? {
        Effects.concatenate(
            { send in
                await environment.upload(text)
                await send(.uploaded)
            },
            { send in
                await environment.publish()
                await send(.published)
            })
    }

    static func cancellableSubmission(
        of text: String, _ environment: DraftEnvironment
    ) -> Effect<DraftAction> {
        Effects.cancellable(id: "submission", cancelInFlight: true) { send in
            await environment.upload(text)
            await send(.uploaded)
        }
    }

    static func abandonment() -> Effect<DraftAction>? {
        Effects.merge(
            Effects.cancel(id: "submission"),
            { send in await send(.cancelled) })
    }

    @MainActor
    static func statusText(_ status: PersistenceStatus) -> String {
        switch status.phase {
        case .saved: "✓ saved"
        case .unsaved: "● \(status.uncommitted) unsaved"
        case .saving: "↻ saving"
        case .failing: "! NOT SAVED: \(status.failure ?? "storage refused a change")"
        }
    }

    static func earlierTodos(_ path: String) -> JSONFile {
        JSONFile(path, format: "todos", version: 2) { file in
            file.rename("tasks", to: "todos")
            file.transform("todos") { todo in todo["title"] = todo.removeValue(forKey: "name") }
            file.drop("drafts")
        }
    }

    @MainActor
    static func writers(_ shelf: Shelf) -> PersistenceMiddleware<ShoppingList> {
        PersistenceMiddleware(
            writers: [
                StateWriter(keyPath: \.items) { upserts, deletions in
                    let items = EntityChanges(upserts: upserts, deletions: Array(deletions))
                    _ = try await shelf.commit(ShoppingChanges(items: items))
                }
            ],
            debounce: .milliseconds(250))
    }

    @MainActor
    static func countUnbought(
        in store: ShoppingStore, _ tell: @escaping @MainActor (Int) -> Void
    ) -> Subscription {
        store.subscribe(to: { $0.items }) { items in
            tell(items.count { !$0.isBought })
        }
    }

    @MainActor
    static func firstMessage(of store: ShoppingStore) async -> String? {
        for await message in store.values(of: { $0.message }) {
            if let message { return message }
        }
        return nil
    }
}

nonisolated struct Preferences: Codable, Equatable {
    var theme = "light"
}

struct DeskState {
    @Saved var preferences = Preferences()
    var drafts: EntityStore<Todo>?
}

@MainActor
func keptDesk() -> [Kept<DeskState>] {
    [Kept("preferences", \.$preferences), Kept("drafts", \.drafts.orEmpty)]
}
