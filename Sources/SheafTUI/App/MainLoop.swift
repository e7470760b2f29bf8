import CPlatform
import Terminal

/// What the main thread does: the work of the main queue, and keys as they come.
///
/// It waits for both itself. By way of a source of Dispatch a key would go through another thread,
/// which takes a tenth of the time until it is answered.
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
