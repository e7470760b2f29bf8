import Terminal

/// Makes what a list holds harmless where a terminal prints it.
enum TerminalText {
    /// The lines of `bytes` without control sequences; their ends stay.
    static func sanitized(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { result.append(0x0A) }
            result += Array(DisplayText.sanitized(String(decoding: line, as: UTF8.self)).utf8)
        }
        return result
    }
}
