import FoundationEssentials
import SheafList

/// The commits that this process has made to the file of a list. If another file replaces that file
/// and lacks some of them, the process can repeat these.
///
/// The number of commits is bounded. For older commits, this value can tell only whether a file has
/// them. The last commit is kept at any size, because a file may be replaced while the commit is
/// being written.
struct OwnCommits {
    /// The identification of a commit: the id under which the process made it, and its number.
    struct Mark {
        var author: UUID
        var number: Int64
    }

    private struct Entry {
        var mark: Mark
        var changes: StorageChanges
    }

    static let maxEntries = 2_000
    static let maxRows = 20_000

    private var entries: [Entry] = []
    private var rows = 0
    /// The latest commit that this value no longer holds.
    private var dropped: Mark?
    /// The last commit whose author is recorded in the file.
    private var lastSigned: Mark?
    /// The id of this process since the last replacement of the file. A new id is needed because
    /// another file can assign the same commit numbers again.
    private(set) var author = UUID.random()
    /// The changes that must be committed again.
    var lostChanges = StorageChanges()

    /// Adds the commit `number` of `changes`.
    mutating func add(_ number: Int64, _ changes: StorageChanges, isSigned: Bool) {
        guard !changes.isEmpty else { return }
        if isSigned { lastSigned = Mark(author: author, number: number) }
        entries.append(Entry(mark: Mark(author: author, number: number), changes: changes))
        rows += changes.count
        while entries.count > 1, entries.count > Self.maxEntries || rows > Self.maxRows {
            let oldest = entries.removeFirst()
            rows -= oldest.changes.count
            dropped = oldest.mark
        }
    }

    /// Returns true if a file has the last signed commit of this process, or if there is no signed
    /// commit.
    ///
    /// - Parameter isThere: returns true if the file has a commit.
    func isLastCommitStored(where isThere: (Mark) throws -> Bool) rethrows -> Bool {
        try lastSigned.map(isThere) ?? true
    }

    /// Moves the commits that a file lacks to ``lostChanges``.
    ///
    /// - Parameter isThere: returns true if the file has a commit.
    /// - Returns: false if the file also lacks commits that this value no longer holds.
    mutating func collectLost(_ isThere: (Mark) throws -> Bool) rethrows -> Bool {
        var lost = StorageChanges()
        var kept: [Entry] = []
        for entry in entries {
            if try isThere(entry.mark) {
                kept.append(entry)
            } else {
                lost.appendCommitted(entry.changes)
            }
        }
        // Changes that were lost before are newer than any commit.
        lost.appendCommitted(lostChanges)
        lostChanges = lost
        entries = kept
        rows = kept.reduce(0) { $0 + $1.changes.count }
        (author, lastSigned) = (.random(), nil)
        let isWhole = try dropped.map(isThere) ?? true
        // Commits that this value no longer holds are reported as lost only once.
        if !isWhole { dropped = nil }
        return isWhole
    }

    /// Returns a sentence for the user after the lost changes have been committed, or nil. A
    /// refusal takes precedence over `notice`, which is already due to be shown.
    static func notice(
        of result: CommitResult, to lostChanges: StorageChanges, after notice: String?
    ) -> String? {
        if let lost = result.lost(of: lostChanges).first {
            return "The file was replaced. The new one refused an edit made here: \(lost.reason)"
        }
        let count = result.conflicts.count {
            ![.kept, .restored].contains($0.outcome) && !$0.hasOwnSentence
        }
        guard count > 0, notice == nil else { return notice }
        let items = "\(count) item\(count == 1 ? "" : "s")"
        return "The file was replaced; \(items) also changed by another process: see the note"
    }
}

extension CommitResult {
    /// The ids of refused rows.
    var refusedIDs: Set<UUID> { Set(refused.compactMap { $0.id.value(as: UUID.self) }) }
}
