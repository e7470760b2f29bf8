import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads the bytes of a terminal as they arrive and delivers the keys, all on the main queue.
///
/// It reads everything that has arrived before it calls ``onKeys`` once: a program that was busy
/// gets its keys in one batch. Nothing blocks, and the descriptor's flags stay as they are, since
/// the shell shares them. While nothing is typed there is no wake-up.
@MainActor
public final class TerminalInput {
    /// Called with the keys, in order, never with an empty array.
    public var onKeys: ([Key]) -> Void = { _ in }

    /// Called once, when the terminal is gone; nothing is read afterwards.
    public var onHangup: () -> Void = {}

    /// The most bytes of one turn, so that a stream of commands leaves time for timers and signals;
    /// the rest is read in the next turn.
    private static let bytesPerTurn = 1 << 16
    /// The milliseconds that the rest of a sequence may be late: after that it would run as keys.
    private static let sequenceDelay = 1_000

    private let descriptor: Int32
    private let escapeDelay: Int
    private let pasteSilence: Int
    private let watch: any InputWatch
    private var isReading = false
    private var decoder = KeyDecoder()
    /// Whether a paste without an end stands still.
    private var isPasteSilent = false
    private var buffer = [UInt8](repeating: 0, count: 16384)
    private var timer: (any DispatchSourceTimer)?
    /// When a paste ends even though bytes keep coming, from a key that is held down.
    private var pasteDeadline: DispatchTime?
    private var hasHungUp = false

    /// Reads from `descriptor`, a terminal in raw mode or a pipe, after ``start()``.
    ///
    /// - Parameters:
    ///   - escapeDelay: how long an ESC may be the beginning of a sequence, in milliseconds; see
    ///     ``escapeDelay(in:)``.
    ///   - pasteSilence: how long nothing comes, in milliseconds, before a paste without an end is
    ///     told, and a Ctrl-C alone ends it.
    ///   - watch: tells when there is something to read.
    public init(
        descriptor: Int32 = STDIN_FILENO, escapeDelay: Int = 25, pasteSilence: Int = 1_000,
        watch: any InputWatch = DispatchInputWatch()
    ) {
        self.descriptor = descriptor
        self.watch = watch
        self.escapeDelay = max(1, escapeDelay)
        self.pasteSilence = max(1, pasteSilence)
    }

    /// The delay that `ESCDELAY` sets, in milliseconds up to 10 seconds, or 25.
    public nonisolated static func escapeDelay(in environment: [String: String]) -> Int {
        guard let value = environment["ESCDELAY"].flatMap({ Int($0) }), 1...10_000 ~= value else {
            return 25
        }
        return value
    }

    /// Begins to read, or resumes after ``pause()``. Does nothing after a hangup.
    public func start() {
        guard !isReading, !hasHungUp else { return }
        isReading = true
        watch.start(descriptor) { [weak self] in self?.drain() }
    }

    /// Leaves further input to another program: an editor, the shell. A sequence that has begun is
    /// dropped.
    public func pause() {
        watch.stop()
        isReading = false
        stopTimer()
        decoder = KeyDecoder()
        isPasteSilent = false
    }

    private func drain() {
        // Readable input may have been left to another program since the check.
        guard isReading else { return }
        var keys: [Key] = []
        var total = 0
        var isGone = false
        while total < Self.bytesPerTurn, Self.isReadable(descriptor) {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 {
                keys +=
                    endsPaste(buffer[..<count])
                    ? decoder.endPaste() : decoder.feed(buffer[..<count])
                isPasteSilent = false
                total += count
            } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                isGone = true
                break
            }
        }
        // Nothing can follow a paste now; any other sequence that was cut was never typed whole.
        if isGone { keys += decoder.settlePaste() }
        rearmTimer(after: escapeDelay)
        if !keys.isEmpty { onKeys(keys) }
        if isGone { hangUp() }
    }

    /// Returns true for a typed Ctrl-C that is not part of a pausing paste.
    private func endsPaste(_ bytes: ArraySlice<UInt8>) -> Bool {
        isPasteSilent && bytes.elementsEqual([0x03]) && !Self.isReadable(descriptor)
    }

    /// Whether a read would return at once, also at the end of the file or from a closed terminal.
    private static func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    private func hangUp() {
        guard !hasHungUp else { return }
        hasHungUp = true
        pause()
        onHangup()
    }

    private func rearmTimer(after milliseconds: Int) {
        stopTimer()
        guard decoder.hasPending || decoder.isInPaste else {
            pasteDeadline = nil
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: .main)
        var deadline =
            DispatchTime.now() + .milliseconds(decoder.isInPaste ? pasteSilence : milliseconds)
        if decoder.holdsPaste {
            let last = pasteDeadline ?? .now() + .seconds(1)
            pasteDeadline = last
            deadline = min(deadline, last)
        } else {
            pasteDeadline = nil
        }
        timer.schedule(deadline: deadline, leeway: .milliseconds(1))
        timer.setEventHandler { [weak self] in self?.timeOut() }
        self.timer = timer
        timer.resume()
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    private func timeOut() {
        guard timer != nil else { return }
        stopTimer()
        // Input that arrived while the main queue was busy belongs to the sequence.
        guard !Self.isReadable(descriptor) else { return drain() }
        if decoder.isInPaste {
            isPasteSilent = true
            return onKeys([Key(.unendedPaste)])
        }
        let keys = decoder.timeout()
        rearmTimer(after: max(escapeDelay, Self.sequenceDelay))
        if !keys.isEmpty { onKeys(keys) }
    }
}
