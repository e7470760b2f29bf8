import Foundation
import Swidux

/// The content of an entry under both designs, like the entry of a list in a real application. Its
/// name is too long to be stored inline.
struct Content: Hashable, Sendable {
    var name: String
    var note: String
    var tags: Set<UUID>
    var doneAt: Int64?
    var createdAt: Int64
    var updatedAt: Int64
}

/// An entry under Swidux, whose place is a rank.
struct Entry: Identifiable, Hashable, Sendable, Ranked {
    let id: UUID
    var rank: Rank
    var content: Content
}

/// An entry under the textbook design, whose place is a number.
struct TextbookEntry: Identifiable, Hashable, Sendable {
    let id: UUID
    var sortIndex: Int
    var content: Content
}

/// A generator of plausible entries. They are the same in every run.
struct EntryGenerator {
    private var random = SeededGenerator(seed: 7)
    /// The sets of tags, which entries share, as in an application that loads a million items.
    private let tagSets: [Set<UUID>]

    init() {
        var random = SeededGenerator(seed: 1)
        let tags = (0..<20).map { _ in random.uuid() }
        tagSets = (0..<64).map { _ in
            Set(
                (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
                    tags.randomElement(using: &random)
                }
            )
        }
    }

    /// Returns the id and content of a new entry.
    mutating func next(_ number: Int) -> (id: UUID, content: Content) {
        let time = 1_700_000_000_000 + Int64(number)
        let content = Content(
            name: "An entry with a number: \(number)", note: "",
            tags: tagSets[Int.random(in: 0..<64, using: &random)],
            doneAt: number % 5 == 0 ? time : nil, createdAt: time, updatedAt: time)
        return (random.uuid(), content)
    }
}

/// A reproducible generator: SplitMix64 (Steele, Lea, Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func uuid() -> UUID {
        let halves = (next(), next())
        return withUnsafeBytes(of: halves) { bytes in
            UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }
}
