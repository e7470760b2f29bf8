import Dispatch

/// Reports that a descriptor has input.
@MainActor
public protocol InputWatch: AnyObject {
    /// Calls `body` each time `descriptor` has input or has reached its end, until ``stop()``.
    func start(_ descriptor: Int32, _ body: @escaping @MainActor () -> Void)

    func stop()
}

/// Watches with Dispatch, for programs that leave the main thread to Dispatch.
@MainActor
public final class DispatchInputWatch: InputWatch {
    private var source: (any DispatchSourceRead)?

    public init() {}

    public func start(_ descriptor: Int32, _ body: @escaping @MainActor () -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        source.setEventHandler { MainActor.assumeIsolated { body() } }
        self.source = source
        source.resume()
    }

    public func stop() {
        source?.cancel()
        source = nil
    }
}
