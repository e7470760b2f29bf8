extension RandomAccessCollection {
    /// Returns the index of the first element that belongs in the second partition, or the end. All
    /// elements before it must belong in the first partition. O(log n).
    @inlinable package func partitioningIndex(
        where belongsInSecondPartition: (Element) throws -> Bool
    ) rethrows -> Index {
        var (start, count) = (startIndex, count)
        while count > 0 {
            let half = count / 2
            let middle = index(start, offsetBy: half)
            if try belongsInSecondPartition(self[middle]) {
                count = half
            } else {
                start = index(after: middle)
                count -= half + 1
            }
        }
        return start
    }
}
