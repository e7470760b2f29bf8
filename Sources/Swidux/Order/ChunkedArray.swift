/// A long sequence of elements in chunks, which copies share until they change one.
///
/// A copy is free. The first edit after it copies the list of chunks and one chunk, which takes
/// some 100 µs among a million elements. An ``EntityStore`` keeps its entities in such an array,
/// and a view its rows. Elements are found by position or, if they are sorted, by binary search.
@usableFromInline package struct ChunkedArray<Element: Sendable>: Sendable {
    /// The chunks in order. None is empty.
    @usableFromInline package private(set) var chunks: ContiguousArray<Chunk<Element>> = []
    /// The number of elements before each chunk, followed by the number of all elements.
    @usableFromInline private(set) var starts: ContiguousArray<Int> = [0]

    /// The maximum number of elements in a chunk.
    @usableFromInline package static var capacity: Int { 512 }
    /// The size of chunks that are filled in bulk, which leaves room for insertions.
    @usableFromInline static var fill: Int { 384 }

    /// Creates an empty array.
    @usableFromInline package init() {}

    /// Creates an array of `elements`. O(n).
    @usableFromInline package init(_ elements: some RandomAccessCollection<Element>) {
        append(contentsOf: elements)
    }

    /// The place of an element: a chunk, and an index there.
    @usableFromInline package struct Place: Hashable, Sendable {
        /// The number of the chunk.
        @usableFromInline package let chunk: Int
        /// The index in the chunk.
        @usableFromInline package let index: Int

        @inlinable init(chunk: Int, index: Int) {
            self.chunk = chunk
            self.index = index
        }
    }

    /// Returns the place of the first element for which `isBefore` is false, or the end. The
    /// elements for which it is true must come first. O(log n).
    @inlinable package func place(after isBefore: (Element) -> Bool) -> Place {
        let chunk = chunks.partitioningIndex { !isBefore($0.elements[$0.elements.count - 1]) }
        guard chunk < chunks.count else { return end }
        // Uses a buffer, because an array would retain every compared element.
        let index = chunks[chunk].elements.withUnsafeBufferPointer { elements in
            elements.partitioningIndex { !isBefore($0) }
        }
        return Place(chunk: chunk, index: index)
    }

    /// The place at which an element can be appended.
    @inlinable var end: Place {
        Place(chunk: Swift.max(chunks.count - 1, 0), index: chunks.last?.elements.count ?? 0)
    }

    /// Returns the position of a place. O(1).
    @inlinable package func position(of place: Place) -> Int {
        starts[place.chunk] + place.index
    }

    /// Returns the place at a position from 0 to ``count``. O(log n).
    @inlinable package func place(at position: Int) -> Place {
        precondition(position >= 0 && position <= count, "position out of range")
        guard position < count else { return end }
        // The last chunk that begins at or before `position`.
        let chunk = starts.partitioningIndex { $0 > position } - 1
        return Place(chunk: chunk, index: position - starts[chunk])
    }

    /// The element at a place, or nil at the end. O(1).
    @inlinable package subscript(place: Place) -> Element? {
        guard place.chunk < chunks.count, place.index < chunks[place.chunk].elements.count else {
            return nil
        }
        return chunks[place.chunk].elements[place.index]
    }

    /// Returns true if both arrays have equal elements in the same order. Shared chunks are not
    /// compared, so the comparison costs O(√n) for a copy with a few edits, and O(n) for other
    /// arrays.
    @inlinable func isEqual(
        to other: ChunkedArray, by areEqual: (Element, Element) -> Bool
    ) -> Bool {
        guard count == other.count else { return false }
        var position = 0
        while position < count {
            let (place, otherPlace) = (place(at: position), other.place(at: position))
            let (chunk, otherChunk) = (chunks[place.chunk], other.chunks[otherPlace.chunk])
            let rest = chunk.elements[place.index...]
            let otherRest = otherChunk.elements[otherPlace.index...]
            // Chunks may begin at different positions; zip ends with the shorter rest.
            if chunk !== otherChunk || place.index != otherPlace.index {
                guard zip(rest, otherRest).allSatisfy(areEqual) else { return false }
            }
            position += Swift.min(rest.count, otherRest.count)
        }
        return true
    }

    /// Returns the numbers of the chunks that only `older` has, and of those that only this array
    /// has, each in ascending order. O(chunks). Use it to update values that are computed from
    /// chunks.
    ///
    /// - Parameter isBefore: the order of the elements in both arrays.
    @inlinable package func changedChunks(
        since older: ChunkedArray, by isBefore: (Element, Element) -> Bool
    ) -> (old: [Int], new: [Int]) {
        var changes: (old: [Int], new: [Int]) = ([], [])
        var (i, j) = (0, 0)
        // Uses buffers, because nearly all chunks are only compared, and an array would retain each
        // of them.
        older.chunks.withUnsafeBufferPointer { old in
            chunks.withUnsafeBufferPointer { new in
                while i < old.count, j < new.count {
                    if old[i] === new[j] {
                        (i, j) = (i + 1, j + 1)
                        continue
                    }
                    // If both arrays contain a chunk, its place in each of them is that of its
                    // first element.
                    let (left, right) = (old[i].elements[0], new[j].elements[0])
                    let (goes, comes) = (!isBefore(right, left), !isBefore(left, right))
                    if goes { changes.old.append(i) }
                    if comes { changes.new.append(j) }
                    (i, j) = (i + (goes ? 1 : 0), j + (comes ? 1 : 0))
                }
            }
        }
        changes.old += i..<older.chunks.count
        changes.new += j..<chunks.count
        return changes
    }

    // MARK: Editing

    /// Replaces the element at a place. O(1), and O(√n) if a copy is held.
    @inlinable package mutating func replace(at place: Place, with element: Element) {
        ownChunk(place.chunk)
        chunks[place.chunk].replace(at: place.index, with: element)
    }

    /// Inserts an element before the one at a place, or at the end. O(√n).
    @usableFromInline package mutating func insert(_ element: Element, at place: Place) {
        guard place.chunk < chunks.count else { return append(contentsOf: [element]) }
        if place == end, place.index >= Self.fill { return append(contentsOf: [element]) }
        ownChunk(place.chunk)
        chunks[place.chunk].insert(element, at: place.index)
        if chunks[place.chunk].elements.count > Self.capacity {
            let full = chunks[place.chunk].elements
            let halves = [full.prefix(full.count / 2), full.dropFirst(full.count / 2)]
            chunks.replaceSubrange(
                place.chunk...place.chunk, with: halves.map { Chunk(ContiguousArray($0)) })
            countElements(from: place.chunk)
        } else {
            for chunk in place.chunk + 1..<starts.count { starts[chunk] += 1 }
        }
    }

    /// Removes the element at a place. O(√n).
    @usableFromInline package mutating func remove(at place: Place) {
        ownChunk(place.chunk)
        chunks[place.chunk].remove(at: place.index)
        let rest = chunks[place.chunk].elements
        if rest.isEmpty {
            chunks.remove(at: place.chunk)
            countElements(from: place.chunk)
            return
        }
        for chunk in place.chunk + 1..<starts.count { starts[chunk] -= 1 }
        let next = place.chunk + 1
        guard rest.count < Self.fill / 4, next < chunks.count,
            rest.count + chunks[next].elements.count <= Self.fill
        else { return }
        chunks.replaceSubrange(
            place.chunk...next, with: [Chunk(rest + chunks[next].elements)])
        countElements(from: place.chunk)
    }

    /// Appends elements. O(m).
    @usableFromInline package mutating func append(
        contentsOf elements: some RandomAccessCollection<Element>
    ) {
        guard !elements.isEmpty else { return }
        var rest = elements[...]
        let first = chunks.count
        if let last = chunks.last, last.elements.count < Self.fill {
            let some = rest.prefix(Self.fill - last.elements.count)
            rest = rest.dropFirst(some.count)
            chunks[chunks.count - 1] = Chunk(last.elements + some)
        }
        while !rest.isEmpty {
            let some = rest.prefix(Self.fill)
            rest = rest.dropFirst(some.count)
            chunks.append(Chunk(ContiguousArray(some)))
        }
        countElements(from: Swift.max(first - 1, 0))
    }

    /// Copies a chunk if another array shares it.
    @usableFromInline mutating func ownChunk(_ chunk: Int) {
        if !isKnownUniquelyReferenced(&chunks[chunk]) { chunks[chunk] = chunks[chunk].copied() }
    }

    private mutating func countElements(from chunk: Int) {
        starts.removeSubrange((chunk + 1)...)
        var total = starts[chunk]
        for chunk in chunks[chunk...] {
            total += chunk.elements.count
            starts.append(total)
        }
    }
}

extension ChunkedArray: RandomAccessCollection {
    @inlinable package var startIndex: Int { 0 }
    @inlinable package var endIndex: Int { starts[chunks.count] }
    @inlinable package var count: Int { starts[chunks.count] }

    /// The element at a position. O(log n).
    @inlinable package subscript(position: Int) -> Element {
        let place = place(at: position)
        return chunks[place.chunk].elements[place.index]
    }

    /// Iterates over the elements in order. The iterator keeps the present chunks, so the array may
    /// change during the iteration.
    @inlinable package func makeIterator() -> some IteratorProtocol<Element> {
        chunks.lazy.flatMap { $0.elements }.makeIterator()
    }

    /// Returns up to `count` elements from a position on. A negative position counts as 0. O(count
    /// × log n).
    @inlinable func page(at position: Int, count: Int) -> [Element] {
        Array(dropFirst(Swift.max(position, 0)).prefix(Swift.max(count, 0)))
    }
}
