import Dispatch
import Foundation

/// Signals as events on the main queue: no Swift code runs in a signal handler.
@MainActor
final class SignalSources {
    private let sources: [any DispatchSourceSignal]

    /// The signals that end the program, and those about the terminal. SIGPIPE and SIGXFSZ are ignored: a
    /// write that fails says so itself.
    private static let handled = [
        SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT,
    ]

    init(handler: @escaping @MainActor (Int32) -> Void) {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // Whoever started us may have left signals blocked.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        sources = Self.handled.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
            source.setEventHandler { MainActor.assumeIsolated { handler(number) } }
            source.resume()
            return source
        }
    }
}
