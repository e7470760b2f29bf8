import FoundationEssentials
import SheafFormats
import SheafList

/// The number of commits of a JSON list, and the last commit of each process. They distinguish a
/// newer file from one that lacks commits.
///
/// They are stored in the member `commits` of the file. Versions of the program that do not know
/// this member keep it unchanged:
///
///     "commits": {"number":12,"9b2f6d0e-…":11}
struct CommitCount {
    static let key = "commits"
    private static let numberKey = "number"
    /// The maximum number of remembered processes.
    static let maxAuthors = 64

    private(set) var number: Int64 = 0
    private var authors: [UUID: Int64] = [:]

    /// Reads the count from the other members of a list's file. The count is 0 if none of them has
    /// it. Nil if the user has given the member's name to other data.
    init?(in members: [Item.Extra]) {
        guard let member = members.first(where: { $0.key == Self.key }) else { return }
        guard case .object(let counts) = Self.value(of: member) else { return nil }
        for count in counts {
            guard case .number(let text) = count.value, let value = Int64(text),
                (0..<1 << 62).contains(value)
            else { return nil }
            if count.key == Self.numberKey {
                number = value
            } else if let author = UUID(uuidString: count.key) {
                authors[author] = value
            } else {
                return nil
            }
        }
    }

    private static func value(of member: Item.Extra) -> JSONValue {
        var scanner = JSONScanner(Data(member.value.utf8))
        // The reader made the text from a JSON value, so it can be parsed.
        do { return try scanner.value() } catch { return .null }
    }

    /// Returns true if the list contains the commit `mark`, which its process has signed. If later
    /// processes have displaced the entry of that process, its commits count as contained.
    func has(_ mark: OwnCommits.Mark) -> Bool {
        if let last = authors[mark.author] { return last >= mark.number }
        return authors.count >= Self.maxAuthors
            && authors.values.allSatisfy { $0 > mark.number }
    }

    /// Returns true if the list contains the last commit of `former`, or if that commit was not
    /// signed. Earlier versions of the program did not sign commits.
    func hasLast(of former: CommitCount) -> Bool {
        guard let last = former.authors.max(by: { $0.value < $1.value }),
            last.value == former.number
        else { return true }
        return has(OwnCommits.Mark(author: last.key, number: last.value))
    }

    /// Counts a commit that the process `author` signs.
    mutating func add(by author: UUID) {
        number += 1
        authors[author] = number
        if authors.count > Self.maxAuthors,
            let oldest = authors.min(by: { $0.value < $1.value })
        {
            authors[oldest.key] = nil
        }
    }

    /// Writes the count into the other members of a list's file.
    func write(to members: inout [Item.Extra]) {
        let newest = authors.sorted { ($1.value, $1.key) < ($0.value, $0.key) }
        let counts =
            [(Self.numberKey, number)]
            + newest.map { ($0.key.uuidString.lowercased(), $0.value) }
        let value = JSONValue.object(
            counts.map { .init(key: $0.0, value: .number(String($0.1))) }
        ).json
        members.removeAll { $0.key == Self.key }
        members.append(Item.Extra(key: Self.key, value: value))
    }
}
