import Foundation
import Swidux

/// The programs of the ReSwift-Effect document: any action, a reducer function with an environment,
/// tasks as effects.
enum Seed004 {
    protocol Action: Sendable {}

    /// The document's reducer, whose task is an effect here.
    typealias Reducer<State, Environment> =
        (_ state: inout State, _ action: any Action, _ environment: Environment) -> Effect<
            any Action
        >?

    @MainActor
    protocol StoreSubscriber: AnyObject {
        associatedtype StoreSubscriberStateType

        func newState(state: StoreSubscriberStateType)
    }

    enum Counter {
        struct AppState: Equatable, Sendable {
            var counter: Int = 0
            var isLoading: Bool = false
        }

        enum CounterAction: Action, Equatable {
            case increase
            case decrease
            case reset
            case increaseAsync
            case setLoading(Bool)
        }

        struct AppEnvironment: Sendable {
            let delayService: any DelayService

            func delay(seconds: Double) async throws -> any Action {
                try await delayService.delay(seconds: seconds)
                return CounterAction.increase
            }
        }

        protocol DelayService: Sendable {
            func delay(seconds: Double) async throws
        }

        struct ClockDelayService: DelayService {
            let clock: any Clock<Duration>

            func delay(seconds: Double) async throws {
                try await clock.sleep(for: .seconds(seconds))
            }
        }

        static func counterReducer(
            state: inout AppState,
            action: any Action,
            environment: AppEnvironment
        ) -> Effect<any Action>? {
            guard let counterAction = action as? CounterAction else {
                return nil
            }

            switch counterAction {
            case .increase:
                state.counter += 1
                return nil

            case .decrease:
                state.counter -= 1
                return nil

            case .reset:
                state.counter = 0
                return nil

            case .increaseAsync:
                state.isLoading = true
                return Effects.concatenate(
                    Effects.action(
                        of: Task {
                            try await environment.delay(seconds: 1)
                        }),
                    { send in await send(CounterAction.setLoading(false)) })

            case .setLoading(let isLoading):
                state.isLoading = isLoading
                return nil
            }
        }

        final class CounterSubscriber: StoreSubscriber {
            private(set) var lines: [String] = []

            func newState(state: AppState) {
                lines.append("Counter: \(state.counter), Loading: \(state.isLoading)")
            }
        }
    }

    enum Users {
        struct User: Identifiable, Equatable, Sendable {
            var id: Int
            var name: String
        }

        struct AppState: Sendable {
            var users: [User] = []
            var isLoading: Bool = false
            var error: (any Error)?
        }

        struct AppEnvironment: Sendable {
            let userService: any UserService
        }

        protocol UserService: Sendable {
            func fetchUsers() async throws -> [User]
        }

        struct MockUserService: UserService {
            let users: [User]

            func fetchUsers() async throws -> [User] { users }
        }

        struct Offline: Error {}

        struct OfflineUserService: UserService {
            func fetchUsers() async throws -> [User] { throw Offline() }
        }

        enum UserAction: Action {
            case fetchUsers
            case setUsers([User])
            case setError(any Error)
        }

        static func appReducer(
            state: inout AppState,
            action: any Action,
            environment: AppEnvironment
        ) -> Effect<any Action>? {
            guard let userAction = action as? UserAction else {
                return nil
            }

            switch userAction {
            case .fetchUsers:
                state.isLoading = true
                state.error = nil

                return Effects.action(
                    of: Task {
                        let users = try await environment.userService.fetchUsers()
                        return UserAction.setUsers(users)
                    },
                    catching: { error in UserAction.setError(error) })

            case .setUsers(let users):
                state.users = users
                state.isLoading = false
                return nil

            case .setError(let error):
                state.error = error
                state.isLoading = false
                return nil
            }
        }

        final class UserListSubscriber: StoreSubscriber {
            private(set) var lists: [[User]] = []

            func newState(state: [User]) { lists.append(state) }
        }
    }
}
