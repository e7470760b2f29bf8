import Dispatch
import Glibc

/// Signals as events on the main queue: no Swift code runs in a signal handler.
@MainActor
final class SignalSources {
    private let sources: [any DispatchSourceSignal]

    /// The signals that end the program, and those about the terminal. SIGPIPE and SIGXFSZ are
    /// ignored: a write that fails says so itself.
    private static let handled = [
        SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT,
    ]

    /// Whoever is asked to end and has not after this long is stuck, in a terminal that takes
    /// nothing, say.
    private nonisolated static let patience = 7

    /// - Parameters:
    ///   - handler: is called for each signal.
    ///   - overdue: ends the process at once; it is called from another thread if a signal that
    ///     asks for the end has not ended it. Changes that are not saved wait in the intent log.
    init(
        handler: @escaping @MainActor (Int32) -> Void, overdue: @escaping @Sendable (Int32) -> Never
    ) {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // Whoever started us may have left signals blocked.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        // All before the first source: Dispatch sets handlers of its own, once for each signal.
        for number in Self.handled { signal(number, SIG_IGN) }
        let handlers = Self.handled.map { number in
            Self.source(number, on: .main) { MainActor.assumeIsolated { handler(number) } }
        }
        let watchdogs = [SIGTERM, SIGHUP].map { number in
            Self.source(number, on: .global()) {
                DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.patience)) {
                    overdue(number)
                }
            }
        }
        sources = handlers + watchdogs
    }

    private static func source(
        _ number: Int32, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: body)
        source.resume()
        return source
    }
}
