import Dispatch

/// An observer of a descriptor, which reports when the descriptor has input.
@MainActor
package protocol InputWatch: AnyObject {
    /// Calls `body` each time `descriptor` has input or has reached its end, until ``stop()``.
    func start(_ descriptor: Int32, _ body: @escaping @MainActor () -> Void)

    func stop()
}

/// An input watch that uses Dispatch, for programs that leave the main thread to Dispatch.
@MainActor
package final class DispatchInputWatch: InputWatch {
    private var source: (any DispatchSourceRead)?

    package init() {}

    package func start(_ descriptor: Int32, _ body: @escaping @MainActor () -> Void) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        source.setEventHandler { MainActor.assumeIsolated { body() } }
        self.source = source
        source.resume()
    }

    package func stop() {
        source?.cancel()
        source = nil
    }
}
