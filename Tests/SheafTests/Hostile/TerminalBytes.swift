import Foundation
import SheafTestSupport

/// What a terminal is sent, taken apart.
enum TerminalBytes {
    /// What in the output of a command could do more than draw: all but line feeds and what
    /// `allowed` matches.
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

    /// What in the output of the screen is none of what ncurses sends to an xterm: motions,
    /// erasing, colours, modes and the character set.
    static func screenFaults(in bytes: [UInt8]) -> [String] {
        faults(
            in: bytes,
            except: [
                /\u{1b}\[\??(?:[0-9]{1,4}(?:;[0-9]{1,3})*)?[ABCDGHJKLMPX@bdhlmrt]/,
                /\u{1b}\(B/, /\u{1b}[=>]/, /[\r\u{8}]/,
            ])
    }
}
