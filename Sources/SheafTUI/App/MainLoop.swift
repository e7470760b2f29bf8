import CPlatform
import Terminal

/// The loop of the main thread: the work of the main queue, and keys as they arrive.
///
/// It waits for both itself. Through a Dispatch source, a key would pass another thread, which
/// takes a tenth of the time to the answer.
@MainActor
public final class MainLoop: InputWatch {
    private var descriptor: Int32 = -1
    private var onReadable: @MainActor () -> Void = {}

    public init() {}

    public func start(_ descriptor: Int32, _ body: @escaping @MainActor () -> Void) {
        self.descriptor = descriptor
        onReadable = body
    }

    public func stop() {
        descriptor = -1
        onReadable = {}
    }

    func run() -> Never {
        while true {
            if cplatform_serve_main_queue(descriptor) { onReadable() }
        }
    }
}
