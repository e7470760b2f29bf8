/// Collects a bracketed paste up to its end marker, `ESC [ 2 0 1 ~`, however the reads split it.
///
/// The text of a paste may contain the marker too, so only silence identifies the last one:
/// everything before it is the paste, and the input after it is keys.
struct PasteCollector: Sendable {
    private static let marker: [UInt8] = Array("\u{1b}[201~".utf8)

    private let limit: Int
    /// The text before the last end marker, once there was one.
    private var text: [UInt8] = []
    /// The bytes after it.
    private var rest: [UInt8] = []
    /// How much of the marker has been seen.
    private var matched = 0
    private var isOverfull = false

    /// Whether an end marker has come, so that silence ends the paste.
    private(set) var hasEnd = false

    /// Accepts pastes of up to `limit` bytes, and as many bytes after them.
    init(limit: Int) { self.limit = limit }

    /// Takes the next byte.
    mutating func take(_ byte: UInt8) {
        if byte == Self.marker[matched] {
            matched += 1
            if matched == Self.marker.count { takeEnd() }
            return
        }
        // The marker's first byte occurs in it only once, so the matched bytes are text up to
        // another first byte.
        for index in 0..<matched { keep(Self.marker[index]) }
        matched = byte == Self.marker[0] ? 1 : 0
        if matched == 0 { keep(byte) }
    }

    /// The paste, or ``Key/Code/oversizedPaste(most:)``; and the bytes after it, as keys.
    func settled() -> (key: Key, rest: [UInt8]) {
        let key = Key(isOverfull ? .oversizedPaste(most: limit) : .paste(Self.lines(text)))
        return (key, rest + Self.marker[..<matched])
    }

    /// Returns the key of a paste without an end: all bytes are text, except a piece of the marker
    /// at the end.
    func brokenOff() -> Key {
        let bytes = text + rest
        let isTooLong = isOverfull || bytes.count > limit
        return Key(isTooLong ? .oversizedPaste(most: limit) : .paste(Self.lines(bytes)))
    }

    private mutating func takeEnd() {
        matched = 0
        if hasEnd { text += Self.marker }
        text += rest
        rest = []
        hasEnd = true
        if text.count > limit { isOverfull = true }
        if isOverfull { text = [] }
    }

    private mutating func keep(_ byte: UInt8) {
        if rest.count >= limit {
            isOverfull = true
            rest = []
            text = []
        }
        rest.append(byte)
    }

    /// The forms in which tmux 3.5 pastes line breaks with `extended-keys on`: those of Ctrl-J and
    /// Enter in xterm's modifyOtherKeys and in `CSI u`.
    private static let lineBreaks = ["\u{1b}[27;5;106~", "\u{1b}[106;5u", "\u{1b}[13;1u"]
        .map { Array($0.utf8) }

    /// `bytes` as a text with `\n` at the ends of its lines: terminals send a carriage return for
    /// each.
    private static func lines(_ bytes: [UInt8]) -> String {
        var lines: [UInt8] = []
        lines.reserveCapacity(bytes.count)
        var previous: UInt8 = 0
        var rest = bytes[...]
        while let byte = rest.first {
            if byte == 0x1b, let known = lineBreaks.first(where: rest.starts(with:)) {
                lines.append(0x0a)
                rest.removeFirst(known.count)
                previous = 0
                continue
            }
            rest.removeFirst()
            if byte == 0x0d {
                lines.append(0x0a)
            } else if byte != 0x0a || previous != 0x0d {
                lines.append(byte)
            }
            previous = byte
        }
        return String(decoding: lines, as: UTF8.self)
    }
}
