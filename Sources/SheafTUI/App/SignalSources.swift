import Dispatch
import Glibc

/// Signals as events on the main queue. No Swift code runs in a signal handler.
@MainActor
final class SignalSources {
    private let sources: [any DispatchSourceSignal]

    /// The signals that end the program, and those about the terminal. SIGPIPE and SIGXFSZ are
    /// ignored, since the failed write reports the error.
    private static let handled = [
        SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT,
    ]

    /// The number of seconds within which the process must end after a signal. A process that takes
    /// longer is stuck, for example because the terminal accepts no output.
    private nonisolated static let timeout = 7

    /// - Parameters:
    ///   - handler: called for each signal.
    ///   - overdue: ends the process at once. It is called on another thread if a signal asks the
    ///     process to end and it has not ended in time. Unsaved changes remain in the intent log.
    init(
        handler: @escaping @MainActor (Int32) -> Void, overdue: @escaping @Sendable (Int32) -> Never
    ) {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // Replaces a mask that may be inherited from the parent process. These signals are blocked,
        // so that they wait for the signalfd of Dispatch, whose threads block all signals. If a
        // signal is delivered to this thread instead, a handler of Dispatch has to forward it, and
        // on a busy machine such a signal was lost now and then. SIGTSTP has to reach this thread
        // when the program suspends itself.
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for number in [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH] { sigaddset(&blocked, number) }
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
        // All signals are ignored before the first source exists, since Dispatch installs its own
        // handlers, once for each signal.
        for number in Self.handled { signal(number, SIG_IGN) }
        let handlers = Self.handled.map { number in
            Self.source(number, on: .main) { MainActor.assumeIsolated { handler(number) } }
        }
        let watchdogs = [SIGTERM, SIGHUP].map { number in
            Self.source(number, on: .global()) {
                DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.timeout)) {
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
