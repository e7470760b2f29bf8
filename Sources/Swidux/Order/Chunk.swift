import Synchronization

/// Up to 512 adjacent elements of a ``ChunkedArray``, and columns that are computed from them.
///
/// A chunk that arrays share does not change, so values that are computed from its elements stay
/// valid: see ``columns(as:)``.
///
/// Unchecked because `elements` is a variable. It changes only while a single array holds the chunk
/// (`isKnownUniquelyReferenced`), so no other code can read it.
@usableFromInline package final class Chunk<Element: Sendable>: @unchecked Sendable {
    /// The elements in order.
    @exclusivity(unchecked) @usableFromInline package internal(set) var elements:
        ContiguousArray<Element>
    /// The columns, and the number of edits since the chunk was made.
    private let slot: Mutex<(columns: (any ChunkColumns<Element>)?, edits: Int)>

    /// Creates a chunk of `elements`, whose columns may be known.
    @usableFromInline package init(
        _ elements: ContiguousArray<Element>, columns: (any ChunkColumns<Element>)? = nil
    ) {
        self.elements = elements
        slot = Mutex((columns, 0))
    }

    @usableFromInline func copied() -> Chunk {
        Chunk(elements, columns: slot.withLock { $0.columns })
    }

    /// The number of elements. O(1).
    @inlinable package var count: Int { elements.count }

    // MARK: Columns

    /// Returns the columns of the elements. The first call creates them. The chunk then keeps them,
    /// and edits them with its elements. O(1) after the first call. Safe on any thread.
    ///
    /// A chunk keeps columns of only one type.
    @usableFromInline package func columns<Columns: ChunkColumns<Element>>(as type: Columns.Type)
        -> Columns
    {
        slot.withLock { slot in
            if let columns = slot.columns as? Columns { return columns }
            let columns = Columns(elements)
            slot.columns = columns
            return columns
        }
    }

    /// The maximum number of edits after which columns are still updated. After more, they are
    /// created again.
    private static var fewEdits: Int { 16 }

    private func editColumns(_ edit: (inout any ChunkColumns<Element>) -> Void) {
        slot.withLock { slot in
            guard slot.columns != nil else { return }
            slot.edits += 1
            if slot.edits > Self.fewEdits { slot.columns = nil } else { edit(&slot.columns!) }
        }
    }

    // MARK: Editing, by the one array that holds the chunk

    @usableFromInline func insert(_ element: Element, at index: Int) {
        elements.insert(element, at: index)
        // A full chunk is divided.
        if count > ChunkedArray<Element>.capacity {
            slot.withLock { $0.columns = nil }
        } else {
            editColumns { $0.insert(element, at: index) }
        }
    }

    @usableFromInline func replace(at index: Int, with element: Element) {
        let old = elements[index]
        elements[index] = element
        editColumns { $0.replace(old, at: index, with: element) }
    }

    @usableFromInline func remove(at index: Int) {
        elements.remove(at: index)
        editColumns { $0.remove(at: index) }
    }
}

/// Values that an application computes from the elements of a chunk, such as the texts that a
/// search looks through. They depend on the elements alone.
@usableFromInline package protocol ChunkColumns<Element>: Sendable {
    /// An element of the chunk.
    associatedtype Element

    /// Computes the values of `elements`.
    init(_ elements: ContiguousArray<Element>)

    /// Adds the values of an element that was inserted.
    mutating func insert(_ element: Element, at index: Int)
    /// Replaces the values of an element that was replaced.
    mutating func replace(_ old: Element, at index: Int, with new: Element)
    /// Removes the values of an element that was removed.
    mutating func remove(at index: Int)
}
