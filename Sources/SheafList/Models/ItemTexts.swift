/// The name and the note of an item, in one block of memory. For a million items, two strings would
/// take 50 % more memory, and most items have no note.
///
/// Each access creates a string. Code that reads the texts of many items reads their bytes.
///
/// Unchecked because `ManagedBuffer` is not `Sendable`; this one never changes.
struct ItemTexts: @unchecked Sendable {
    private enum Stored {
        case empty
        case inline(Block)
        /// Texts that are too long for the lengths in a block.
        indirect case separate(name: String, note: String)
    }

    /// A header with two lengths, followed by the bytes of both texts.
    private typealias Block = ManagedBuffer<(name: UInt16, note: UInt16), UInt8>

    private var stored = Stored.empty

    init() {}

    init(name: String, note: String) {
        guard !name.isEmpty || !note.isEmpty else { return }
        let counts = (UInt16(exactly: name.utf8.count), UInt16(exactly: note.utf8.count))
        guard case (let nameCount?, let noteCount?) = counts else {
            stored = .separate(name: name, note: note)
            return
        }
        let block = Block.create(minimumCapacity: Int(nameCount) + Int(noteCount)) { _ in
            (nameCount, noteCount)
        }
        block.withUnsafeMutablePointerToElements { bytes in
            let all = UnsafeMutableBufferPointer(
                start: bytes, count: Int(nameCount) + Int(noteCount))
            let end = all[..<Int(nameCount)].initialize(fromContentsOf: name.utf8)
            _ = all[end...].initialize(fromContentsOf: note.utf8)
        }
        stored = .inline(block)
    }

    var name: String {
        get { withUTF8 { name, _ in String(decoding: name, as: UTF8.self) } }
        set { self = ItemTexts(name: newValue, note: note) }
    }

    var note: String {
        get { hasNote ? withUTF8 { _, note in String(decoding: note, as: UTF8.self) } : "" }
        set {
            if hasNote || !newValue.isEmpty { self = ItemTexts(name: name, note: newValue) }
        }
    }

    private var hasNote: Bool { noteCount > 0 }

    /// The number of bytes of the note. O(1).
    var noteCount: Int {
        switch stored {
        case .empty: 0
        case .inline(let block): Int(block.header.note)
        case .separate(_, let note): note.utf8.count
        }
    }

    /// Calls `body` with the UTF-8 of both texts, which is valid until `body` returns.
    func withUTF8<Result>(
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        switch stored {
        case .empty:
            let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
            return try body(nothing, nothing)
        case .inline(let block):
            return try block.withUnsafeMutablePointers { counts, bytes in
                let count = Int(counts.pointee.name)
                return try body(
                    UnsafeBufferPointer(start: bytes, count: count),
                    UnsafeBufferPointer(start: bytes + count, count: Int(counts.pointee.note)))
            }
        case .separate(var name, var note):
            return try name.withUTF8 { name in try note.withUTF8 { try body(name, $0) } }
        }
    }
}

/// A comparison of all bytes, which is stricter than `==` of strings.
extension ItemTexts: Hashable {
    static func == (lhs: ItemTexts, rhs: ItemTexts) -> Bool {
        lhs.withUTF8 { name, note in
            rhs.withUTF8 { name.elementsEqual($0) && note.elementsEqual($1) }
        }
    }

    func hash(into hasher: inout Hasher) {
        withUTF8 { name, note in
            hasher.combine(name.count)
            hasher.combine(bytes: UnsafeRawBufferPointer(name))
            hasher.combine(bytes: UnsafeRawBufferPointer(note))
        }
    }
}

extension ItemTexts: CustomDebugStringConvertible {
    /// Both texts, for the log of actions.
    var debugDescription: String {
        "(name: \(name.debugDescription), note: \(note.debugDescription))"
    }
}

extension ItemTexts: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["name": name, "note": note]) }
}

extension Item {
    /// Calls `body` with the UTF-8 of the name and of the note, which is valid until `body`
    /// returns.
    package func withUTF8<Result>(
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        try texts.withUTF8(body)
    }
}
