/// Gathers a bracketed paste up to its end marker, `ESC [ 2 0 1 ~`, however the reads split it.
struct PasteCollector: Sendable {
    private static let marker: [UInt8] = Array("\u{1b}[201~".utf8)

    private let limit: Int
    private var bytes: [UInt8] = []
    /// How much of the marker has been seen.
    private var matched = 0
    private var isOverfull = false

    /// Takes pastes of up to `limit` bytes.
    init(limit: Int) { self.limit = limit }

    /// Takes the next byte; at the end of the paste returns its key. One that is too long comes as
    /// ``Key/Code/unknown``, with nothing of it kept.
    mutating func take(_ byte: UInt8) -> Key? {
        if byte == Self.marker[matched] {
            matched += 1
            guard matched == Self.marker.count else { return nil }
            return isOverfull ? Key(.unknown) : Key(.paste(text))
        }
        // The marker's first byte occurs in it only once, so what was matched is text up to a new
        // first byte.
        for index in 0..<matched { keep(Self.marker[index]) }
        matched = byte == Self.marker[0] ? 1 : 0
        if matched == 0 { keep(byte) }
        return nil
    }

    private mutating func keep(_ byte: UInt8) {
        guard !isOverfull else { return }
        guard bytes.count < limit else {
            isOverfull = true
            bytes = []
            return
        }
        bytes.append(byte)
    }

    /// The text with `\n` at the ends of its lines: terminals send a carriage return for each.
    private var text: String {
        var lines: [UInt8] = []
        lines.reserveCapacity(bytes.count)
        var previous: UInt8 = 0
        for byte in bytes {
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
