/// Small numbers for the tags of a list, so that an index looks at four bytes instead of a set of
/// ids. A tag keeps its number as long as the index lives.
struct TagNumbers: Sendable {
    private var numbers: [Tag.ID: UInt32] = [:]

    /// How many numbers there are.
    var count: Int { numbers.count }

    /// All tags that have a number.
    var all: some Sequence<(Tag.ID, UInt32)> { numbers.lazy.map { ($0.key, $0.value) } }

    /// The number of a tag, or nil if no item ever had it.
    subscript(tag: Tag.ID) -> UInt32? { numbers[tag] }

    /// The numbers of an item's tags.
    mutating func numbers(of tags: Set<Tag.ID>) -> [UInt32] { tags.map { number(of: $0) } }

    /// The number of a tag, a new one if it has none.
    mutating func number(of tag: Tag.ID) -> UInt32 {
        if let number = numbers[tag] { return number }
        let number = UInt32(numbers.count)
        numbers[tag] = number
        return number
    }
}
