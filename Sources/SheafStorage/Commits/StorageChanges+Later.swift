import FoundationEssentials
import SheafList

extension StorageChanges {
    /// Adds newer committed changes, so that all of them can be committed again. An inserted value
    /// becomes the base of its later edits.
    package mutating func appendCommitted(_ newer: StorageChanges) {
        func appendCommitted(_ kind: (some ListEntity).Type) {
            self[kind].appendCommitted(newer[kind])
        }
        for kind in Kinds.all { appendCommitted(kind) }
    }
}

extension EntityChanges {
    fileprivate mutating func appendCommitted(_ newer: EntityChanges) {
        for (id, change) in newer.elements {
            let before = self[id].map(\.before) ?? change.before ?? change.after
            self[id] = EntityChange(before: before, after: change.after)
        }
    }
}
