import Foundation
import SheafTestSupport

/// The bytes sent to a terminal, parsed.
enum TerminalBytes {
    /// The parts of a command's output that could do more than draw: all except line feeds and
    /// matches of `allowed`.
    static func faults(in bytes: [UInt8], except allowed: [Regex<Substring>] = []) -> [String] {
        guard var text = String(validating: bytes, as: UTF8.self) else {
            return ["no UTF-8: \(String(decoding: bytes, as: UTF8.self).debugDescription)"]
        }
        for regex in allowed { text.replace(regex.matchingSemantics(.unicodeScalar), with: "") }
        return text.split(separator: "\n").filter { line in
            line.unicodeScalars.contains(where: HostileText.isHarmful)
        }
        .map(\.debugDescription)
    }

    /// The parts of the screen's output that ncurses does not send to an xterm: it sends motions,
    /// erasing, colors, modes and the character set.
    static func screenFaults(in bytes: [UInt8]) -> [String] {
        faults(
            in: Array(complete(bytes)),
            except: [
                /\u{1b}\[\??(?:[0-9]{1,4}(?:;[0-9]{1,3})*)?[ABCDGHJKLMPX@bdhlmrt]/,
                /\u{1b}\(B/, /\u{1b}[=>]/, /[\r\u{8}]/,
            ])
    }

    /// The bytes read so far, without a character or a sequence at the end that is incomplete.
    private static func complete(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var whole = bytes[...]
        if let first = bytes.suffix(4).lastIndex(where: { $0 >= 0xc0 }),
            bytes.count - first < (~bytes[first]).leadingZeroBitCount
        {
            whole = bytes[..<first]
        }
        if let escape = whole.suffix(16).lastIndex(of: 0x1b),
            whole[(escape + 1)...].allSatisfy({ "[?(;0123456789".utf8.contains($0) })
        {
            whole = whole[..<escape]
        }
        return whole
    }
}
