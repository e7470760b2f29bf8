import Dispatch
import Foundation

/// Turns the main queue on the main thread, for ever.
enum MainLoop {
    #if os(Linux)
    /// Runs what the main queue holds. Foundation's run loop calls it too, but has been seen to sleep under load
    /// with the queue full, so that no key was answered any more. `dispatchMain()` will not do either: signals
    /// then go to a thread that waits with none blocked, where those that are ignored are lost.
    ///
    /// Source: libdispatch, private/queue_private.h.
    @_silgen_name("_dispatch_main_queue_callback_4CF")
    private static func drain(_ message: UnsafeMutableRawPointer?)

    /// The event descriptor that can be read once the main queue holds something.
    @_silgen_name("_dispatch_get_main_queue_handle_4CF")
    private static func handle() -> Int32

    static func run() -> Never {
        let event = handle()
        var entry = pollfd(fd: event, events: Int16(POLLIN), revents: 0)
        drain(nil)
        while true {
            poll(&entry, 1, -1)
            // First the event, then the queue: what comes in between gives an event of its own.
            var count: UInt64 = 0
            _ = read(event, &count, MemoryLayout<UInt64>.size)
            drain(nil)
        }
    }
    #else
    static func run() -> Never {
        while true { RunLoop.main.run() }
    }
    #endif
}
