import FoundationEssentials
import SheafList

/// The commits that this process has made to the file of a list, so that it can make them again in
/// a file that has taken the place of that one and lacks some of them.
///
/// Bounded: of older commits it is only known whether a file has them. The last one is kept at any
/// size, since a file may be replaced while a commit is written to it.
struct OwnCommits {
    /// A commit: the id under which the process made it, and its number.
    struct Mark {
        var author: UUID
        var number: Int64
    }

    private struct Entry {
        var mark: Mark
        var changes: StorageChanges
    }

    static let mostEntries = 2_000
    static let mostRows = 20_000

    private var entries: [Entry] = []
    private var rows = 0
    /// The last commit that is no longer here.
    private var dropped: Mark?
    /// The last commit that was signed in the file.
    private var lastSigned: Mark?
    /// The id of the process from the last replacement on. Numbers of commits are given again in
    /// another file.
    private(set) var author = UUID.random()
    /// Changes that are to be committed again.
    var owed = StorageChanges()

    /// Adds the commit `number` of `changes`.
    mutating func add(_ number: Int64, _ changes: StorageChanges, isSigned: Bool) {
        guard !changes.isEmpty else { return }
        if isSigned { lastSigned = Mark(author: author, number: number) }
        entries.append(Entry(mark: Mark(author: author, number: number), changes: changes))
        rows += changes.count
        while entries.count > 1, entries.count > Self.mostEntries || rows > Self.mostRows {
            let oldest = entries.removeFirst()
            rows -= oldest.changes.count
            dropped = oldest.mark
        }
    }

    /// Returns true if a file has the last of these commits that was signed, or there is none.
    ///
    /// - Parameter isThere: whether the file has a commit.
    func areIn(_ isThere: (Mark) throws -> Bool) rethrows -> Bool {
        try lastSigned.map(isThere) ?? true
    }

    /// Moves the commits that a file lacks to ``owed``.
    ///
    /// - Parameter isThere: whether the file has a commit.
    /// - Returns: false if the file also lacks commits that are no longer here.
    mutating func collectLost(_ isThere: (Mark) throws -> Bool) rethrows -> Bool {
        var lost = StorageChanges()
        var kept: [Entry] = []
        for entry in entries {
            if try isThere(entry.mark) { kept.append(entry) } else { lost.take(entry.changes) }
        }
        // Changes owed before are newer than any commit.
        lost.take(owed)
        owed = lost
        entries = kept
        rows = kept.reduce(0) { $0 + $1.changes.count }
        (author, lastSigned) = (.random(), nil)
        let isWhole = try dropped.map(isThere) ?? true
        // The user is told of them once.
        if !isWhole { dropped = nil }
        return isWhole
    }

    /// The sentence for the user after the changes that were owed have been committed, or nil for
    /// none. A refusal is told rather than `notice`, which is to be told already.
    static func notice(
        of result: CommitResult, to owed: StorageChanges, after notice: String?
    ) -> String? {
        if let lost = result.lost(of: owed).first {
            return "The file was replaced. It refused an edit of this session: \(lost.reason)"
        }
        let count = result.conflicts.count {
            ![.kept, .restored].contains($0.outcome) && !$0.hasOwnSentence
        }
        guard count > 0, notice == nil else { return notice }
        let items = "\(count) item\(count == 1 ? "" : "s")"
        return "The file was replaced; \(items) also changed elsewhere: see the note"
    }
}

extension CommitResult {
    /// The ids of refused rows.
    var refusedIDs: Set<UUID> { Set(refused.compactMap { $0.id.value(as: UUID.self) }) }
}
