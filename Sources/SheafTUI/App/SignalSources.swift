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

    /// The seconds after a request to end before the process counts as stuck, for example in a
    /// terminal that accepts no output.
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
        // Replaces a mask that the parent process may have left. These signals are blocked, so that
        // they wait for the signalfd of Dispatch, whose threads block all signals. If one is
        // delivered to this thread instead, a handler of Dispatch has to send it on, and on a busy
        // machine one was lost now and then. SIGTSTP has to reach this thread when the program
        // suspends itself.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for number in [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH] { sigaddset(&blocked, number) }
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
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
