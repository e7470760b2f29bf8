import FoundationEssentials
import SheafCore
import SheafStorage

/// The commits of this process.
///
/// A commit of items alone goes to the server as it is, which refuses it if another client has
/// written one of the rows, or any tag; any other, and one that was refused, is first brought
/// together with what is there. One whose answer was lost is asked for by its number before the
/// next one.
struct PostgresWriter {
    /// Tells this process from others, in the rows that it writes.
    private(set) var client = UUID.random()
    private var batch: Int64 = 0
    /// A commit of which nobody knows whether it was made.
    private var unsure: (batch: Int64, changes: StorageChanges)?
    /// What commits made that were thought to have failed: the next changes of these begin with it.
    private var made = StorageChanges()

    /// A commit, and what became of it.
    struct Outcome {
        var result: CommitResult
        /// Nil if there was nothing to write.
        var commit: (number: Int64, id: UUID)?
        var written = StorageChanges()
    }

    private static let mostAttempts = 20

    /// What is written from here on counts as another process's.
    mutating func beginAnew() {
        client = UUID.random()
        batch = 0
        unsure = nil
        made = StorageChanges()
    }

    mutating func commit(
        _ changes: StorageChanges, _ reader: PostgresReader, known: Int64
    ) throws -> Outcome {
        try settle(reader)
        let changes = changes.with(bases: made)
        let outcome = try write(changes, reader, known: known)
        made = StorageChanges()
        return outcome
    }

    private mutating func write(
        _ changes: StorageChanges, _ reader: PostgresReader, known: Int64
    ) throws -> Outcome {
        if changes.tags.isEmpty, changes.views.isEmpty, !changes.haveNext {
            do {
                let sent = try send(changes, reader, expected: known)
                return Outcome(
                    result: CommitResult(refused: sent.refused, isBehind: sent.isBehind),
                    commit: (sent.number, sent.id), written: changes)
            } catch let failure as PostgresFailure where failure.isConflict {
                // Merged below.
            }
        }
        for _ in 0..<Self.mostAttempts {
            do {
                return try merge(changes, reader, known: known)
            } catch let failure as PostgresFailure where failure.isConflict {
                continue
            }
        }
        throw PostgresFailure(state: "55P03", "too many others write to this list at once")
    }

    private mutating func merge(
        _ changes: StorageChanges, _ reader: PostgresReader, known: Int64
    ) throws -> Outcome {
        let items = changes.items
        let snapshot = try reader.snapshot(
            items.upserts.map(\.id) + items.deletions, tags: changes.tags.deletions, known: known,
            client: client)
        let before = WholeList(
            tags: snapshot.tags, views: snapshot.views, items: snapshot.items)
        var list = before
        var result = list.apply(changes, isCurrent: !snapshot.hasOthers)
        let written = list.changes(since: before)
        guard !written.isEmpty else {
            result.isBehind = snapshot.hasOthers
            return Outcome(result: result)
        }
        let sent = try send(written, reader, expected: snapshot.number)
        result.refused += sent.refused
        result.isBehind = snapshot.hasOthers || sent.isBehind
        return Outcome(result: result, commit: (sent.number, sent.id), written: written)
    }

    // MARK: To the server

    private struct Sent {
        var number: Int64
        var id: UUID
        var isBehind: Bool
        var refused: [Refusal]
    }

    private mutating func send(
        _ changes: StorageChanges, _ reader: PostgresReader, expected: Int64
    ) throws -> Sent {
        do {
            return try send(changes, reader, expected: expected, oneByOne: false)
        } catch let failure as PostgresFailure where failure.isOfRow {
            // Which row it was is told by none but one that stands alone.
            return try send(changes, reader, expected: expected, oneByOne: true)
        }
    }

    private mutating func send(
        _ changes: StorageChanges, _ reader: PostgresReader, expected: Int64, oneByOne: Bool
    ) throws -> Sent {
        batch += 1
        unsure = (batch, changes)
        do {
            let rows = try reader.connection.rows(
                """
                SELECT done_number, done_id, is_behind, refused
                FROM sheaf.commit($1, $2, $3, $4, $5, $6, $7)
                """,
                [
                    reader.list.uuidString, "\(PostgresSchema.version)", client.uuidString,
                    "\(batch)", "\(expected)", reader.schema.json(changes), "\(oneByOne)",
                ])
            unsure = nil
            guard rows.count == 1, let id = rows.uuid(0, 1) else {
                throw PostgresFailure(state: "XX000", "the server's commit function says nothing")
            }
            return Sent(
                number: rows.integer(0, 0), id: id, isBehind: rows.flag(0, 2),
                refused: Self.refusals(rows.text(0, 3)))
        } catch let failure as PostgresFailure {
            // A server that answers has committed nothing.
            if !failure.isOfConnection { unsure = nil }
            throw failure
        }
    }

    /// Learns what became of a commit whose answer was lost.
    private mutating func settle(_ reader: PostgresReader) throws {
        guard let unsure else { return }
        let rows = try reader.connection.rows(
            "SELECT sheaf.batch_number($1, $2, $3)",
            [reader.list.uuidString, client.uuidString, "\(unsure.batch)"])
        if rows.count == 1, !rows.isNull(0, 0) { made = unsure.changes }
        self.unsure = nil
    }

    /// What `refused` spells: `[id, reason, id, reason, …]`.
    private static func refusals(_ text: String) -> [Refusal] {
        guard text != "[]", !text.isEmpty else { return [] }
        do {
            let words = try JSONDecoder().decode([String].self, from: Data(text.utf8))
            return stride(from: 0, to: words.count - 1, by: 2).compactMap { index in
                UUID(uuidString: words[index]).map {
                    Refusal(id: $0, reason: PostgresFailure.line(words[index + 1]))
                }
            }
        } catch {
            return []
        }
    }
}

extension PostgresSchema {
    /// What the commit function takes.
    fileprivate func json(_ changes: StorageChanges) -> String {
        var json = Array("{\"tags\":".utf8)
        json += tags.json(changes.tags.upserts)
        json += ",\"views\":".utf8 + views.json(changes.views.upserts)
        json += ",\"items\":".utf8 + items.json(changes.items.upserts)
        json += ",\"gone\":{\"tags\":\(Self.ids(changes.tags.deletions))".utf8
        json += ",\"views\":\(Self.ids(changes.views.deletions))".utf8
        json += ",\"items\":\(Self.ids(changes.items.deletions))}}".utf8
        return String(decoding: json, as: UTF8.self)
    }

    private static func ids(_ ids: [UUID]) -> String {
        "[\(ids.map { "\"\($0.uuidString)\"" }.joined(separator: ","))]"
    }
}

extension StorageChanges {
    /// The same, beginning with `made` where that has a value.
    fileprivate func with(bases made: StorageChanges) -> StorageChanges {
        guard !made.isEmpty else { return self }
        var changes = self
        for tag in made.tags.upserts { changes.tags.bases[tag.id] = tag }
        for view in made.views.upserts { changes.views.bases[view.id] = view }
        for item in made.items.upserts { changes.items.bases[item.id] = item }
        return changes
    }
}
