/// An ``EntityBuffer``, whatever its entities are.
///
/// Closures and no protocol: what is called through a witness table is never specialised for the
/// entity, which makes a drain several times slower. A class, since every copy of a structure would
/// retain all of them.
@MainActor
@usableFromInline final class ChangeBuffer<State> {
    let counts: () -> (pending: Int, inFlight: Int)
    private let refused: () -> [Refusal]
    private let beginning: (inout State) -> Void
    private let draining: (inout State) -> (changes: Int, coalesced: Int)
    private let takingOff: () -> Void
    private let turningBack: () -> Void
    private let saveStates: (AnyID) -> EntitySaveState
    private let hydration: (State) -> Bool

    @usableFromInline init(
        counts: @escaping () -> (pending: Int, inFlight: Int),
        refused: @escaping () -> [Refusal],
        begin: @escaping (inout State) -> Void,
        drain: @escaping (inout State) -> (changes: Int, coalesced: Int),
        takeOff: @escaping () -> Void,
        turnBack: @escaping () -> Void,
        saveState: @escaping (AnyID) -> EntitySaveState,
        isHydrated: @escaping (State) -> Bool
    ) {
        self.counts = counts
        self.refused = refused
        beginning = begin
        draining = drain
        takingOff = takeOff
        turningBack = turnBack
        saveStates = saveState
        hydration = isHydrated
    }

    @inlinable convenience init<Entity>(_ buffer: EntityBuffer<State, Entity>) {
        self.init(
            counts: { (buffer.pendingCount, buffer.inFlightCount) },
            refused: { buffer.refusals },
            begin: { buffer.begin(with: &$0) },
            drain: { buffer.drain(&$0) },
            takeOff: { buffer.takeOff() },
            turnBack: { buffer.turnBack() },
            saveState: { buffer.saveState(of: $0) },
            isHydrated: { $0[keyPath: buffer.keyPath].isHydrated })
    }

    var pendingCount: Int { counts().pending }
    var refusals: [Refusal] { refused() }

    /// Takes the store as it is for committed.
    func begin(with state: inout State) { beginning(&state) }

    /// Takes what has changed since the last drain, and returns how many entities, and how many
    /// were pending already.
    func drain(_ state: inout State) -> (changes: Int, coalesced: Int) { draining(&state) }

    /// Hands everything pending over to the flight.
    func takeOff() { takingOff() }

    /// The flight failed: it is pending again, beneath what came meanwhile.
    func turnBack() { turningBack() }

    /// Whether nothing more of the store is to be loaded.
    func isHydrated(_ state: State) -> Bool { hydration(state) }

    func saveState(of id: AnyID) -> EntitySaveState { saveStates(id) }
}
