import Foundation

/// An entity without a rank.
nonisolated struct Card: Identifiable, Hashable, Sendable {
    var id: UUID
    var title: String

    init(_ number: Int, _ title: String = "card") {
        id = .numbered(number)
        self.title = title
    }
}

nonisolated extension UUID {
    /// The id that ends in `number`: ids compare as their numbers do.
    static func numbered(_ number: Int) -> UUID {
        var bytes = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)).uuid
        bytes.12 = UInt8(truncatingIfNeeded: number >> 24)
        bytes.13 = UInt8(truncatingIfNeeded: number >> 16)
        bytes.14 = UInt8(truncatingIfNeeded: number >> 8)
        bytes.15 = UInt8(truncatingIfNeeded: number)
        return UUID(uuid: bytes)
    }
}
