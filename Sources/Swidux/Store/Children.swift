import Synchronization

/// Composition with children that are added and removed: the elements of a collection, an optional
/// part, a case of an enumeration.
///
/// The child handles its actions first, then this reducer handles every action. Let this reducer
/// add and remove its children: if a larger reducer removes them, their effects continue until this
/// one handles an action. An action for a removed child is ignored.
///
/// Each child has its own effect ids: two children that debounce under equal ids do not cancel each
/// other, and this reducer cannot cancel a child's effect by id. When a child is removed, all its
/// effects are cancelled within the `send` of the action that removes it.
extension SwiduxReducer {
    /// Returns this reducer with a reducer for each entity of a store.
    ///
    /// ```swift
    /// Reduce<Board, BoardAction, BoardAction, Void> { board, action, _ in … }
    ///     .forEach(
    ///         \.cards, CardReducer(),
    ///         extract: { if case .card(let id, let action) = $0 { (id, action) } else { nil } },
    ///         embed: { .card($0, $1) })
    /// ```
    ///
    /// An action of a child costs O(log n). While effects of children run, an action that changes
    /// the store costs O(running effects) more.
    ///
    /// - Parameters:
    ///   - children: the store of the children.
    ///   - child: the reducer of a child.
    ///   - extract: returns the child's id and action that a larger action contains, or nil.
    ///   - embed: returns the larger action for an action that an effect of a child sends.
    public func forEach<Child: SwiduxReducer>(
        _ children: WritableKeyPath<State, EntityStore<Child.State>>,
        _ child: Child,
        extract: @escaping (Action) -> (id: Child.State.ID, action: Child.Action)?,
        embed: @escaping @Sendable (Child.State.ID, Child.RootAction) -> RootAction
    ) -> Reduce<State, Action, RootAction, Environment>
    where Child.Environment == Environment {
        attaching(
            stamp: { AnyID($0[keyPath: children].revision) },
            isPresent: { state in
                let store = state[keyPath: children]
                return { $0.value(as: Child.State.ID.self).map(store.contains) ?? false }
            },
            reduce: { state, action, environment in
                guard let (id, action) = extract(action) else { return nil }
                var effect: Effect<Child.RootAction>?
                state[keyPath: children].modify(id) {
                    effect = child.reduce(state: &$0, action: action, environment: environment)
                }
                return effect.map { effect in (AnyID(id), Effects.map(effect) { embed(id, $0) }) }
            })
    }

    /// Returns this reducer with a reducer for an optional part of the state, which is changed in
    /// place.
    ///
    /// The child is removed when the part becomes nil and, if it is `Identifiable`, when its id
    /// changes.
    ///
    /// - Parameters:
    ///   - part: the optional part.
    ///   - child: the reducer of the part.
    ///   - extract: returns the child's action that a larger action contains, or nil.
    ///   - embed: returns the larger action for an action that an effect of the child sends.
    public func ifLet<Child: SwiduxReducer>(
        _ part: WritableKeyPath<State, Child.State?>,
        _ child: Child,
        extract: @escaping (Action) -> Child.Action?,
        embed: @escaping @Sendable (Child.RootAction) -> RootAction
    ) -> Reduce<State, Action, RootAction, Environment>
    where Child.Environment == Environment {
        attachingOne(
            identity: { $0[keyPath: part].map(identity) },
            reduce: { state, action, environment in
                guard state[keyPath: part] != nil, let action = extract(action) else { return nil }
                return child.reduce(
                    state: &state[keyPath: part]!, action: action, environment: environment
                ).map { Effects.map($0, embed) }
            })
    }

    /// Returns this reducer with a reducer for a case of the state, which is an enumeration.
    ///
    /// ```swift
    /// app.ifCase(
    ///     { if case .editing(let editor) = $0 { editor } else { nil } }, { .editing($0) },
    ///     EditorReducer(),
    ///     extract: { if case .editor(let action) = $0 { action } else { nil } },
    ///     embed: { .editor($0) })
    /// ```
    ///
    /// The child is removed when the state becomes another case and, if it is `Identifiable`, when
    /// its id changes. For each action of the child, its value is copied out of the case and back.
    ///
    /// - Parameters:
    ///   - value: returns the value of the case, or nil if the state is another case.
    ///   - make: returns the state for a value of the case.
    ///   - child: the reducer of the value.
    ///   - extract: returns the child's action that a larger action contains, or nil.
    ///   - embed: returns the larger action for an action that an effect of the child sends.
    public func ifCase<Child: SwiduxReducer>(
        _ value: @escaping (State) -> Child.State?,
        _ make: @escaping (Child.State) -> State,
        _ child: Child,
        extract: @escaping (Action) -> Child.Action?,
        embed: @escaping @Sendable (Child.RootAction) -> RootAction
    ) -> Reduce<State, Action, RootAction, Environment>
    where Child.Environment == Environment {
        attachingOne(
            identity: { value($0).map(identity) },
            reduce: { state, action, environment in
                guard var part = value(state), let action = extract(action) else { return nil }
                defer { state = make(part) }
                return child.reduce(state: &part, action: action, environment: environment)
                    .map { Effects.map($0, embed) }
            })
    }

    /// Returns this reducer with at most one child. `identity` is nil if there is none.
    private func attachingOne(
        identity: @escaping (State) -> AnyID?,
        reduce: @escaping (inout State, Action, Environment) -> Effect<RootAction>?
    ) -> Reduce<State, Action, RootAction, Environment> {
        attaching(
            stamp: identity,
            isPresent: { state in
                let present = identity(state)
                return { $0 == present }
            },
            reduce: { state, action, environment in
                guard let effect = reduce(&state, action, environment),
                    let id = identity(state)
                else { return nil }
                return (id, effect)
            })
    }

    /// Returns this reducer with children.
    ///
    /// - Parameters:
    ///   - stamp: returns a value that changes whenever the set of present children changes.
    ///   - isPresent: returns a function that returns true for the ids of the children in a state.
    ///   - reduce: runs the child's reducer, and returns the id of the child that handled the
    ///     action, and its effect.
    private func attaching(
        stamp: @escaping (State) -> AnyID?,
        isPresent: @escaping (State) -> @Sendable (AnyID) -> Bool,
        reduce: @escaping (inout State, Action, Environment) -> (AnyID, Effect<RootAction>)?
    ) -> Reduce<State, Action, RootAction, Environment> {
        let children = ChildEffects()
        return Reduce { state, action, environment in
            let child = reduce(&state, action, environment)
            let own = self.reduce(state: &state, action: action, environment: environment)
            let isToBeChecked = children.isToBeChecked(at: stamp(state))
            guard child != nil || isToBeChecked else { return own }
            let isPresent = isPresent(state)
            return Effects.merge(
                child.flatMap { isPresent($0) ? children.effect($1, of: $0) : nil },
                own,
                isToBeChecked ? children.cancel(unless: isPresent) : nil)
        }
    }
}

/// Returns the id of a child if it is `Identifiable`, or else an id that all children share.
private func identity<Child>(of child: Child) -> AnyID {
    // `Identifiable` does not require a Sendable id. The id is a value that never changes.
    func id(_ child: some Identifiable) -> AnyID { AnyID(unchecked: child.id) }
    return (child as? any Identifiable).map { id($0) } ?? AnyID(0)
}

/// The running effects of the children that one reducer attaches to another.
private final class ChildEffects: Sendable {
    private let state = Mutex<(running: Int, checked: AnyID?)>((0, nil))

    /// Returns true if effects are running and the children have changed since the last check.
    func isToBeChecked(at stamp: @autoclosure () -> AnyID?) -> Bool {
        guard state.withLock({ $0.running > 0 }) else { return false }
        let stamp = stamp()
        return state.withLock { state in
            defer { state.checked = stamp }
            return stamp == nil || state.checked != stamp
        }
    }

    /// Returns `effect` in a context where its ids belong to this child alone.
    func effect<Action>(_ effect: @escaping Effect<Action>, of child: AnyID) -> Effect<Action> {
        { send in
            guard let context = EffectContext.current else { return await effect(send) }
            await self.run(effect, of: child, context, send)
        }
    }

    /// Runs `effect` on the main actor, so that it begins within the `send` of its action.
    @MainActor
    private func run<Action>(
        _ effect: @escaping Effect<Action>, of child: AnyID, _ context: EffectContext,
        _ send: @escaping Send<Action>
    ) async {
        state.withLock { $0.running += 1 }
        defer { state.withLock { $0.running -= 1 } }
        var inner = context
        inner.path.append(ObjectIdentifier(self))
        inner.scope.append(AnyID(Child(path: inner.path, id: child)))
        await EffectContext.$current.withValue(inner) {
            await Effects.run(effect, under: id(in: context), of: child, context, send)
        }
    }

    /// Returns an effect that cancels the effects of removed children.
    func cancel<Action>(
        unless isPresent: @escaping @Sendable (AnyID) -> Bool
    ) -> Effect<Action> {
        { _ in
            guard let context = EffectContext.current else { return }
            context.registry.cancel(self.id(in: context), unless: isPresent)
        }
    }

    /// Returns the id under which the effects of all children are registered. The path
    /// distinguishes two places in which an application uses one reducer.
    private func id(in context: EffectContext) -> AnyID {
        context.scoped(AnyID(Child(path: context.path + [ObjectIdentifier(self)], id: nil)))
    }

    private struct Child: Hashable, Sendable {
        var path: [ObjectIdentifier]
        var id: AnyID?
    }
}
