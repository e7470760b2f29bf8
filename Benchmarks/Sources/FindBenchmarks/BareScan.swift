import CScan

/// The lowercased names of a list, one after the other, for a scan in bare C. No search of the same
/// names can be much faster, so the scan shows the limit of the machine.
struct BareScan {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    @MainActor
    init(_ list: LongList) {
        for item in list.items {
            bytes += item.name.lowercased().utf8
            ends.append(bytes.count)
        }
    }

    /// Times a scan for each prefix of `text`, `rounds` times. A scan searches all names for the
    /// letters of each word in order, not necessarily adjacent.
    func row(of text: String, rounds: Int) -> Row {
        var row = Row(name: "in bare C, one thread, unranked")
        for _ in 0..<rounds {
            for length in 1...text.count {
                let words = text.prefix(length).split(separator: " ").map { Array($0.utf8) }
                let processor = processorTime()
                let begin = ContinuousClock.now
                for word in words {
                    _ = cscan_count(bytes, ends, ends.count, word, word.count)
                }
                row.times.append((ContinuousClock.now - begin) / .milliseconds(1))
                row.spent += processorTime() - processor
            }
        }
        return row
    }
}
