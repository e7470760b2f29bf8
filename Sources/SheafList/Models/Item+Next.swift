import FoundationEssentials
import Swidux

/// The next occurrence of a recurring item.
extension Item {
    /// Returns the next occurrence if this item is done `today`, or nil if it does not recur or the
    /// next date is outside the calendar. The occurrence is an open copy with the next dates,
    /// created at `now`.
    package func next(today: CalendarDay, now: Timestamp, rank: Rank) -> Item? {
        let days = Repeat.Days(due: due, scheduled: scheduled)
        guard let rule = `repeat`, let nextDays = rule.next(after: days, today: today) else {
            return nil
        }
        var next = copied(as: nextID, at: now)
        (next.due, next.scheduled, next.rank) = (nextDays.due, nextDays.scheduled, rank)
        next.repeat = rule.following(days, in: nextDays)
        if next.due != due { next.removeExtras(of: .due) }
        if next.scheduled != scheduled { next.removeExtras(of: .scheduled) }
        return next
    }

    /// Returns an open item with the same fields, except that it is created and changed at `now`.
    package func copied(as id: Item.ID, at now: Timestamp) -> Item {
        var item = Item(id: id)
        for field in Self.fields { field.copy(from: self, to: &item) }
        item.doneAt = nil
        (item.createdAt, item.updatedAt) = (now, now)
        return item
    }

    /// The id of the next occurrence. It is derived from the item's id, so that two processes that
    /// complete the item create the same occurrence.
    package var nextID: Item.ID { id.next }

    /// True if the item was created as a next occurrence and no user has edited it since. Such an
    /// item is deleted if the previous item is reopened, and yields to a stored item with the same
    /// id.
    package var isUntouchedNext: Bool { id.isNext && createdAt == updatedAt }
}

extension UUID {
    /// The id after this one, of version 8 (RFC 9562). Sheaf creates no other ids of that version.
    ///
    /// Its 122 other bits are a mix of both halves of this id, by the finalizer of MurmurHash3
    /// (Austin Appleby). They are as unlikely to collide with other ids as random bits, and
    /// prefixes still distinguish items.
    var next: UUID {
        var halves = withUnsafeBytes(of: uuid) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        for _ in 0..<2 {
            halves.0 = (halves.0 &+ halves.1 &+ 0x9e37_79b9_7f4a_7c15).mixed
            halves.1 = (halves.1 &+ halves.0).mixed
        }
        var bytes = (halves.0.bigEndian, halves.1.bigEndian)
        return withUnsafeMutableBytes(of: &bytes) { bytes in
            bytes[6] = bytes[6] & 0x0f | 0x80
            bytes[8] = bytes[8] & 0x3f | 0x80
            return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }

    /// True if the id is the ``next`` of another id.
    package var isNext: Bool { uuid.6 >> 4 == 8 && uuid.8 >> 6 == 2 }
}

extension UInt64 {
    fileprivate var mixed: UInt64 {
        var bits = self
        bits = (bits ^ bits >> 33) &* 0xff51_afd7_ed55_8ccd
        bits = (bits ^ bits >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return bits ^ bits >> 33
    }
}
