import SheafList
import Swidux

extension AppState {
    /// Marks an item done since `time`, or not done, and makes the next one below it if it repeats,
    /// or takes that away again as long as nobody has edited it. O(log n).
    mutating func setDone(
        _ id: Item.ID, since time: Timestamp?, at now: Timestamp, today: CalendarDay
    ) {
        guard let item = items[id], item.isDone != (time != nil) else { return }
        items.edit(id, at: now) { $0.doneAt = time }
        if time != nil {
            makeNext(of: item, at: now, today: today)
        } else if let next = items[item.nextID], next.isUntouchedNext {
            items[next.id] = nil
        }
    }

    /// One that is there already, made by another process or before, stays as it is.
    private mutating func makeNext(of item: Item, at now: Timestamp, today: CalendarDay) {
        guard item.repeat != nil, !items.contains(item.nextID),
            let place = items.position(of: item.id)
        else { return }
        let room = items.room(for: [item.nextID], at: place + 1)
        guard let next = item.next(today: today, now: now, rank: room[0].rank) else { return }
        items.take(room.dropFirst())
        items[next.id] = next
    }

    /// Says when the next one is due of an item that has just been finished alone, if it repeats.
    ///
    /// - Parameter wasThere: true if the list had the next one before.
    mutating func tellNext(of id: Item.ID, wasThere: Bool) {
        guard let item = items[id], item.isDone, item.repeat != nil else { return }
        guard let next = items[item.nextID] else {
            return ui.show(
                "Done, with no next date up to the year 9999: “\(item.name)”", isAlert: true)
        }
        if wasThere {
            let place = next.isDone ? "done" : "in the list"
            return ui.show(
                "Done, with its next occurrence already \(place): “\(item.name)”", hint: "u undo")
        }
        guard let day = next.due ?? next.scheduled else { return }
        let date = day.shortName(today: today)
        ui.show("Done, next on \(date): “\(item.name)”", hint: "u undo")
    }
}
