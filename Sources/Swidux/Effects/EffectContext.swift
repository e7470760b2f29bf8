/// The place of an effect in its store.
struct EffectContext: Sendable {
    /// The context of the current task. Nil outside a store, and in a detached task.
    @TaskLocal static var current: EffectContext?

    /// The running effects of the store.
    let registry: EffectRegistry
    /// The number of the action that started the effect.
    let ordinal: UInt64
    /// The ids of the children that contain the effect, outermost first. The last is the child
    /// whose reducer returned it. Empty outside of children.
    var scope: [AnyID] = []
    /// The reducers that the effect has passed on its way from the child to the store.
    var path: [ObjectIdentifier] = []

    /// Returns the id under which an effect of this child is registered. It includes the child, so
    /// that children with equal ids do not cancel each other's effects.
    func scoped(_ id: AnyID) -> AnyID { scope.isEmpty ? id : AnyID(scope + [id]) }
}

/// The identity of one use of a reducer: an application may use one reducer several times.
final class ReducerUse: Sendable {}

extension Effects {
    /// Returns `effect`, with `use` added to the path in its context.
    static func map<Action>(
        _ effect: @escaping Effect<Action>, from use: ReducerUse
    ) -> Effect<Action> {
        { send in
            guard var context = EffectContext.current else { return await effect(send) }
            context.path.append(ObjectIdentifier(use))
            await run(effect, in: context, send)
        }
    }

    /// Runs `effect` on the main actor, so that it begins within the `send` of its action.
    @MainActor
    private static func run<Action>(
        _ effect: @escaping Effect<Action>, in context: EffectContext,
        _ send: @escaping Send<Action>
    ) async {
        await EffectContext.$current.withValue(context) { await effect(send) }
    }
}
