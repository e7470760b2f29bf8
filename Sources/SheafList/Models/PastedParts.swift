/// The parts of a line that were pasted, as ranges of UTF-8 bytes, updated with each edit.
package struct PastedParts: Hashable, Sendable {
    /// The ranges in ascending order. No two touch or overlap.
    private(set) var ranges: [Range<Int>] = []

    init() {}

    /// Creates one part for a paste of `count` bytes.
    init(all count: Int) {
        if count > 0 { ranges = [0..<count] }
    }

    /// Returns true if any byte of `range` was pasted. O(parts).
    func overlaps(_ range: Range<Int>) -> Bool { ranges.contains { $0.overlaps(range) } }

    /// Records an insertion of `count` bytes at `offset`; `parts` are its pasted bytes. O(parts
    /// after it).
    mutating func insert(_ parts: PastedParts, count: Int, at offset: Int) {
        var index = ranges.endIndex
        while index > 0, ranges[index - 1].lowerBound >= offset {
            index -= 1
            ranges[index] = ranges[index].shifted(by: count)
        }
        if index > 0, ranges[index - 1].upperBound > offset {
            let whole = ranges[index - 1]
            ranges[index - 1] = whole.lowerBound..<offset
            ranges.insert(offset + count..<whole.upperBound + count, at: index)
        }
        ranges.insert(contentsOf: parts.ranges.map { $0.shifted(by: offset) }, at: index)
        join(at: index + parts.ranges.count)
        join(at: index)
    }

    /// Records the removal of `range`, and shifts the parts after it. O(parts).
    mutating func remove(_ range: Range<Int>) {
        guard !ranges.isEmpty else { return }
        let moved = { (offset: Int) in
            offset <= range.lowerBound ? offset : max(offset - range.count, range.lowerBound)
        }
        let former = ranges
        ranges = []
        for part in former {
            let kept = moved(part.lowerBound)..<moved(part.upperBound)
            guard !kept.isEmpty else { continue }
            ranges.append(kept)
            join(at: ranges.endIndex - 1)
        }
    }

    /// Returns the pasted parts of `range`, relative to its beginning. O(parts).
    func parts(in range: Range<Int>) -> PastedParts {
        var parts = PastedParts()
        parts.ranges = ranges.map { $0.clamped(to: range) }.filter { !$0.isEmpty }
            .map { $0.shifted(by: -range.lowerBound) }
        return parts
    }

    /// Joins the part at `index` to the one before it, if they touch.
    private mutating func join(at index: Int) {
        guard index > 0, index < ranges.count,
            ranges[index - 1].upperBound == ranges[index].lowerBound
        else { return }
        ranges[index - 1] = ranges[index - 1].lowerBound..<ranges[index].upperBound
        ranges.remove(at: index)
    }
}

extension Range<Int> {
    fileprivate func shifted(by distance: Int) -> Range<Int> {
        lowerBound + distance..<upperBound + distance
    }
}
