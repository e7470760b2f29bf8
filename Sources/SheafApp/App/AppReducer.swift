import SheafList

/// The root reducer: passes an action to its feature, then updates derived state.
package struct AppReducer: SwiduxReducer {
    package init() {}

    package func reduce(
        state: inout AppState, action: AppAction, environment: AppEnvironment
    ) -> Effect? {
        guard state.leaving.exit == nil else { return nil }
        let toast = state.ui.toastSerial
        let place = state.selectionPlace(before: action)
        let subjects = state.subjectsOfWaitingKeys(before: action)
        let effect = perform(action, on: &state, environment)
        let derived = state.settle(environment, keeping: place)
        // Compares from the end: the last subject is the selected item, whether or not others are
        // marked.
        if let lost = zip(subjects.reversed(), state.keySubjects.reversed()).first(where: !=)?.0 {
            state.ui.lostSubject = .replaced(lost)
        }
        let expiry =
            state.ui.toastSerial == toast ? nil : expiry(of: state.ui.toast, environment)
        return Effects.merge(effect, derived, expiry)
    }

    /// Applies an action without updating derived state. `reduce` does that for every action,
    /// including those that a feature performs in place of its own.
    ///
    /// - Parameter isConfirmed: true if the user has confirmed the action.
    func perform(
        _ action: AppAction, on state: inout AppState, _ environment: AppEnvironment,
        isConfirmed: Bool = false
    ) -> Effect? {
        let action = state.retargetedToView(action)
        if let refusal = state.refusal(of: action) {
            state.ui.refuse(refusal, isAlert: true)
            return { send in await send(.session(.accessCheckRequested)) }
        }
        let traits = action.traits
        let fill = state.prepare(for: traits)
        let serial = state.ui.toastSerial
        let wasNormal = state.takesCommands
        let isCommand = AppAction.undoRole(of: action, before: state).isCommand
        let revisions = state.revisions

        var effect: Effect?
        if !isConfirmed, let question = state.questionAboutHiddenMarks(of: action) {
            state.ui.mode = .confirmation(question)
        } else {
            effect = action.reduce(&state, environment)
        }

        let hasModeBegun = wasNormal && !state.takesCommands
        if let toast = state.ui.toast, toast.serial == serial,
            toast.isOver(
                changed: isCommand && revisions != state.revisions,
                continued: traits.isOfUser, modeBegan: hasModeBegun)
        {
            state.ui.toast = nil
        }
        // A question can open in the middle of a key sequence, when storage responds.
        if hasModeBegun { state.ui.pendingKeys = [] }
        if traits.isOfUser {
            if case .browse(.scrolled) = action {} else { state.ui.itemScroll.isAway = false }
        }
        if traits.ends.contains(.count) { state.ui.count = nil }
        return Effects.merge(fill, effect)
    }

    /// Returns the effect that removes `toast` after some seconds. Toasts accept no keys, so they
    /// expire on a timer.
    private func expiry(of toast: Toast?, _ environment: AppEnvironment) -> Effect? {
        guard let toast else { return nil }
        let duration = toast.isAlert ? Duration.seconds(8) : .seconds(5)
        return { [sleep = environment.sleep] send in
            do { try await sleep(duration) } catch { return }
            await send(.session(.toastExpired(serial: toast.serial)))
        }
    }
}

extension UndoRole {
    var isCommand: Bool {
        if case .command = kind { true } else { false }
    }
}

extension Toast {
    /// Returns true if the current action removes the message of an earlier one.
    ///
    /// - Parameters:
    ///   - changed: True if a command changed the list. The hint would then undo or redo a command
    ///     that the message does not describe, and the message would seem to be about that command.
    ///   - continued: True if the user continues, so that an earlier refusal no longer matters.
    ///   - modeBegan: True if the meaning of keys has changed. The message must not hide the new
    ///     one.
    fileprivate func isOver(changed: Bool, continued: Bool, modeBegan: Bool) -> Bool {
        changed && (hint != nil || !isAlert) || continued && isRefusal || modeBegan && !isAlert
    }
}

extension AppState {
    /// Before an action with `traits` is applied, ends the state that the action uses up or
    /// cancels. Returns the effect that marks the rows of an open range, if the action ends one.
    fileprivate mutating func prepare(for traits: ActionTraits) -> Effect? {
        if traits.ends.contains(.viewRestoration) { ui.remembered = nil }
        if traits.origin != .program { LeavingAction.keyTyped(&self) }
        // Waiting keys apply to the rows that were shown when the user typed them.
        if traits.isOfUser, traits.setsSelection, takesCommands, ui.waitingKeys == 0 {
            acceptSubject()
        }
        return ui.marks.range != nil && traits.ends.contains(.range) ? markRange() : nil
    }

    /// True if keys are commands on the list: no line and no question is open.
    var takesCommands: Bool { ui.mode.isNormal && !leaving.isAsking }

    /// Returns true if the list accepts `action`. A read-only list accepts no changes.
    package func takes(_ action: AppAction) -> Bool { refusal(of: action) == nil }

    /// Returns the reason why the list does not accept `action`, or nil if it does.
    func refusal(of action: AppAction) -> String? {
        if let reason = list.readOnlyReason, action.traits.changesList {
            return "Read-only. \(reason)"
        }
        guard case .views(.addRequested) = retargetedToView(action) else { return nil }
        return obstacleToView.map { "Cannot save the view: \($0)" }
    }

    /// The reason why the present query and tag cannot be saved as a view, or nil.
    var obstacleToView: String? {
        showsDeletedTag ? "its tag was deleted" : query.error.map(\.reason)
    }
}
