import Dispatch

/// Tells when there is something to read.
@MainActor
public protocol InputWatch: AnyObject {
    /// Calls `body` whenever `descriptor` has something to read, or has come to its end, until
    /// ``stop()``.
    func start(_ descriptor: Int32, _ body: @escaping @MainActor () -> Void)

    func stop()
}

/// Reports input through Dispatch, for programs that leave the main thread to it.
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
