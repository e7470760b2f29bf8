/// A collector of a bracketed paste up to its end marker, `ESC [ 2 0 1 ~`, regardless of how reads
/// split it.
///
/// The text of a paste may contain the marker too, so only silence shows which marker was the last.
/// The bytes before the last marker are the paste, and the bytes after it are keys.
struct PasteCollector: Sendable {
    private static let marker: [UInt8] = Array("\u{1b}[201~".utf8)

    private let limit: Int
    /// The text before the last end marker. Empty until a marker has arrived.
    private var text: [UInt8] = []
    /// The bytes after the last end marker.
    private var rest: [UInt8] = []
    /// The number of bytes of the marker that have matched.
    private var matched = 0
    private var exceedsLimit = false

    /// A Boolean value that indicates whether an end marker has arrived, so that silence ends the
    /// paste.
    private(set) var hasEnd = false

    /// Creates a collector for pastes of up to `limit` bytes, and up to `limit` bytes after them.
    init(limit: Int) { self.limit = limit }

    /// Appends the next byte.
    mutating func take(_ byte: UInt8) {
        if byte == Self.marker[matched] {
            matched += 1
            if matched == Self.marker.count { takeEnd() }
            return
        }
        // The marker's first byte occurs in it only once, so the matched bytes are text, and only
        // the new byte can begin a marker.
        for index in 0..<matched { keep(Self.marker[index]) }
        matched = byte == Self.marker[0] ? 1 : 0
        if matched == 0 { keep(byte) }
    }

    /// Returns the paste, or ``Key/Code/oversizedPaste(most:)``, and the bytes after it, which are
    /// keys.
    func settled() -> (key: Key, rest: [UInt8]) {
        let key = Key(exceedsLimit ? .oversizedPaste(most: limit) : .paste(Self.lines(text)))
        return (key, rest + Self.marker[..<matched])
    }

    /// Returns a paste whose end has not arrived. All bytes are text, except a partial marker at
    /// the end.
    func unterminatedPaste() -> Key {
        let bytes = text + rest
        let isTooLong = exceedsLimit || bytes.count > limit
        return Key(isTooLong ? .oversizedPaste(most: limit) : .paste(Self.lines(bytes)))
    }

    private mutating func takeEnd() {
        matched = 0
        if hasEnd { text += Self.marker }
        text += rest
        rest = []
        hasEnd = true
        if text.count > limit { exceedsLimit = true }
        if exceedsLimit { text = [] }
    }

    private mutating func keep(_ byte: UInt8) {
        if rest.count >= limit {
            exceedsLimit = true
            rest = []
            text = []
        }
        rest.append(byte)
    }

    /// The forms in which tmux 3.5 pastes line breaks with `extended-keys on`: Ctrl-J and Enter in
    /// xterm's modifyOtherKeys and in `CSI u`.
    private static let lineBreaks = ["\u{1b}[27;5;106~", "\u{1b}[106;5u", "\u{1b}[13;1u"]
        .map { Array($0.utf8) }

    /// Returns `bytes` as text whose lines end in `\n`. Terminals send a carriage return for each
    /// line break.
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
