/// The properties of an action other than its effect on the state. Each feature declares them for
/// all of its actions, in a switch without a default: a new action does not compile without them.
///
///     case .doneToggled: .edit("done", under: .items, verb: "change")
///     case .noteFailed: .user(under: .items)
package struct ActionTraits: Sendable {
    /// The origin of an action.
    enum Origin {
        /// A request of the user.
        case user
        /// A key without an effect, such as an unassigned one.
        case key
        /// Storage, a timer, the terminal, or a search.
        case program
    }

    /// The pending input that the action uses up or ends.
    struct Ends: OptionSet {
        let rawValue: Int
        /// The typed count.
        static let count = Ends(rawValue: 1)
        /// The range that `V` started.
        static let range = Ends(rawValue: 2)
        /// The view of the last run, which is restored unless the user works with the rows first.
        /// An action that needs no rows, such as opening the help, does not end it.
        static let viewRestoration = Ends(rawValue: 4)
    }

    var origin = Origin.program
    var ends: Ends = []
    /// True if the action only makes sense as a change of the list. A read-only list refuses it.
    var changesList = false
    /// True if the action moves, marks or clears the selection on behalf of the user, who then
    /// knows where it is.
    var setsSelection = false
    /// The verb for the action's effect on marked items, as in "change 3 items?"; nil if it has no
    /// effect on them or asks its own question.
    var verbOnMarks: String?
    /// The role of the action in undo, in the state before it.
    var undo: @Sendable (AppState) -> UndoRole = { _ in .ignored }
    /// The help heading of the action's key.
    package internal(set) var heading = HelpHeading.program

    /// Returns the traits of a request of the user that is not an undo step.
    static func user(
        under heading: HelpHeading, ends: Ends = [.count, .range, .viewRestoration]
    ) -> ActionTraits {
        ActionTraits(origin: .user, ends: ends, heading: heading)
    }

    /// Returns the traits of a command that edits the list and is an undo step with the name
    /// `name`.
    ///
    /// - Parameters:
    ///   - coalesces: True if repetitions on one entity form one step.
    ///   - verb: the verb for the command's effect on marked items.
    static func edit(
        _ name: String, under heading: HelpHeading, coalesces: Bool = false, verb: String? = nil
    ) -> ActionTraits {
        var traits = request(under: heading, verb: verb)
        traits.undo = { _ in .command(name: name, coalesces: coalesces) }
        return traits
    }

    /// Returns the traits of a request that opens a line or a picker, in which the user then edits
    /// the list.
    static func request(under heading: HelpHeading, verb: String? = nil) -> ActionTraits {
        var traits = user(under: heading)
        traits.changesList = true
        traits.verbOnMarks = verb
        return traits
    }

    /// The traits of an action of the program.
    static let program = ActionTraits()
    /// The traits of a key without an effect.
    static let key = ActionTraits(origin: .key, ends: .count)

    /// These traits, with the undo role of accepting the open line.
    var acceptingLine: ActionTraits {
        var traits = self
        traits.undo = { state in
            state.ui.mode.commandName.map { .command(name: $0, coalesces: false) } ?? .ignored
        }
        return traits
    }

    /// True if the action is a request of the user. A mouse report is not a request, but the action
    /// into which it is translated is.
    var isOfUser: Bool { origin == .user }
}

/// The headings of the help, in display order.
package enum HelpHeading: CaseIterable, Sendable {
    case moving, items, tags, views, finding, history, program

    package var title: String {
        switch self {
        case .moving: "Moving"
        case .items: "Items"
        case .tags: "Tags"
        case .views: "Saved views"
        case .finding: "Finding and sorting"
        case .history: "Undo and saving"
        case .program: "Program"
        }
    }
}

/// An action of one feature.
protocol FeatureAction: Sendable {
    /// The properties of the action.
    var traits: ActionTraits { get }
    /// Changes the state, and may return an effect: the reducer of the feature.
    func reduce(_ state: inout AppState, _ environment: AppEnvironment) -> Effect?
}

extension AppAction {
    /// The properties of the action.
    package var traits: ActionTraits { feature.traits }

    /// Returns the undo role of the action, given the state before it. Every command that can
    /// change the list is a step; actions of storage, the terminal and the filter are not.
    static func undoRole(of action: AppAction, before state: AppState) -> UndoRole {
        // After the program has decided to end, the store must not undo: it would do so before the
        // reducer could refuse.
        state.leaving.exit == nil ? state.retargetedToView(action).traits.undo(state) : .ignored
    }
}
