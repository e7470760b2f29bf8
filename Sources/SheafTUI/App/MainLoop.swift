import CPlatform
import Terminal

/// The loop of the main thread, which serves the main queue and handles keys as they arrive.
///
/// It waits for both in one call. With a Dispatch source, a key would pass through another thread,
/// which takes a tenth of the time until the key is answered.
@MainActor
package final class MainLoop: InputWatch {
    private var descriptor: Int32 = -1
    private var onReadable: @MainActor () -> Void = {}

    package init() {}

    package func start(_ descriptor: Int32, _ body: @escaping @MainActor () -> Void) {
        self.descriptor = descriptor
        onReadable = body
    }

    package func stop() {
        descriptor = -1
        onReadable = {}
    }

    func run() -> Never {
        while true {
            if cplatform_serve_main_queue(descriptor) { onReadable() }
        }
    }
}
