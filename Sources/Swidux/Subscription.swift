/// A standing request to be told of changes. It ends when it is cancelled or released: keep it.
@MainActor
public final class Subscription {
    private var body: (() -> Void)?

    init(_ body: @escaping () -> Void) { self.body = body }

    /// Ends it: nothing is told any more, not even of the action that is being worked on.
    public func cancel() { body = nil }

    func notify() { body?() }
}
