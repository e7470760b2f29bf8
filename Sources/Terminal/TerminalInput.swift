import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The input of a terminal, which reads bytes and delivers keys, all on the main queue.
///
/// All available bytes are read before one call of ``onKeys``, so a program that was busy gets its
/// keys in one batch. Reads do not block. The descriptor's flags are unchanged, since the shell
/// shares them. Without input there are no wake-ups.
@MainActor
package final class TerminalInput {
    /// A closure that receives the keys in order. The array is never empty.
    package var onKeys: ([Key]) -> Void = { _ in }

    /// A closure that is called once, when the terminal is gone. Reading has then ended.
    package var onHangup: () -> Void = {}

    /// The maximum number of bytes read in one turn, so that a long input leaves time for timers
    /// and signals. The rest is read in the next turn.
    private static let bytesPerTurn = 1 << 16
    /// The maximum delay of the rest of a sequence, in milliseconds. Later bytes would act as keys.
    private static let sequenceDelay = 1_000

    private let descriptor: Int32
    private let escapeDelay: Int
    private let pasteIdleTime: Int
    private let watch: any InputWatch
    private var isReading = false
    private var decoder = KeyDecoder()
    /// A Boolean value that indicates whether a paste without an end marker has stopped arriving.
    private var isPasteIdle = false
    private var buffer = [UInt8](repeating: 0, count: 16384)
    private var timer: (any DispatchSourceTimer)?
    /// The time at which a paste ends even if bytes keep arriving, for example from a key that is
    /// held down.
    private var pasteDeadline: DispatchTime?
    private var hasHungUp = false

    /// Creates an input that reads from `descriptor`, a terminal in raw mode or a pipe, after
    /// ``start()``.
    ///
    /// - Parameters:
    ///   - escapeDelay: the time, in milliseconds, within which an ESC may begin a sequence; see
    ///     ``escapeDelay(in:)``.
    ///   - pasteIdleTime: the silence, in milliseconds, after which a paste without an end is
    ///     reported and a Ctrl-C alone ends it.
    ///   - watch: reports that the descriptor has input.
    package init(
        descriptor: Int32 = STDIN_FILENO, escapeDelay: Int = 25, pasteIdleTime: Int = 1_000,
        watch: any InputWatch = DispatchInputWatch()
    ) {
        self.descriptor = descriptor
        self.watch = watch
        self.escapeDelay = max(1, escapeDelay)
        self.pasteIdleTime = max(1, pasteIdleTime)
    }

    /// Returns the delay that `ESCDELAY` sets, in milliseconds up to 10 seconds, or 25.
    package nonisolated static func escapeDelay(in environment: [String: String]) -> Int {
        guard let value = environment["ESCDELAY"].flatMap({ Int($0) }), 1...10_000 ~= value else {
            return 25
        }
        return value
    }

    /// Begins to read, or resumes after ``pause()``. Does nothing after a hangup.
    package func start() {
        guard !isReading, !hasHungUp else { return }
        isReading = true
        watch.start(descriptor) { [weak self] in self?.drain() }
    }

    /// Stops reading, so that another program, such as an editor or the shell, gets the input. A
    /// sequence that has begun is dropped.
    package func pause() {
        watch.stop()
        isReading = false
        stopTimer()
        decoder = KeyDecoder()
        isPasteIdle = false
    }

    private func drain() {
        // Another program may have taken over the input after it was reported as readable.
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
                isPasteIdle = false
                total += count
            } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                isGone = true
                break
            }
        }
        // No input can follow a paste now, and any other partial sequence can no longer be
        // completed.
        if isGone { keys += decoder.finishPaste() }
        rearmTimer(after: escapeDelay)
        if !keys.isEmpty { onKeys(keys) }
        if isGone { hangUp() }
    }

    /// Returns true if a paste has stopped arriving, and the bytes are a typed Ctrl-C, which ends
    /// it.
    private func endsPaste(_ bytes: ArraySlice<UInt8>) -> Bool {
        isPasteIdle && bytes.elementsEqual([0x03]) && !Self.isReadable(descriptor)
    }

    /// Returns true if a read would return at once, including at the end of the file or for a
    /// closed terminal.
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
            DispatchTime.now() + .milliseconds(decoder.isInPaste ? pasteIdleTime : milliseconds)
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
        // Bytes that arrived while the main queue was busy belong to the sequence.
        guard !Self.isReadable(descriptor) else { return drain() }
        if decoder.isInPaste {
            isPasteIdle = true
            return onKeys([Key(.unterminatedPaste)])
        }
        let keys = decoder.timeout()
        rearmTimer(after: max(escapeDelay, Self.sequenceDelay))
        if !keys.isEmpty { onKeys(keys) }
    }
}
