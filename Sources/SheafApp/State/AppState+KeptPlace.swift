import SheafList
import Swidux

/// Keeps the selection at its place in a sorted list. If an edit moves the selected item elsewhere,
/// the next row is selected, as after a deletion.
extension AppState {
    /// The selection before an edit.
    struct SelectionPlace {
        fileprivate let item: Item
        fileprivate let row: Int
        fileprivate let scroll: ScrollPosition
        fileprivate let items: Revision
        fileprivate let toast: Int
    }

    /// Returns the current selection if `action` is a command and the rows are sorted, else `nil`.
    func selectionPlace(before action: AppAction) -> SelectionPlace? {
        // A new item stays selected wherever the sort puts it.
        guard shownSort != nil, let item = selectedItem, ui.typedItem?.isNew != true,
            AppAction.undoRole(of: action, before: self).isCommand
        else { return nil }
        return SelectionPlace(
            item: item, row: ui.selectedRow, scroll: ui.itemScroll, items: items.revision,
            toast: ui.toastSerial)
    }

    /// Moves the selection back to `place` if the edit moved the item by more than one row. If
    /// there is a message about the edit, adds the item's new place to the message.
    mutating func keepSelection(at place: SelectionPlace) {
        // If only other items have moved past the selected one, it stays selected.
        guard items.revision != place.items, ui.selectedItem == place.item.id,
            items[place.item.id] != place.item,
            let row = rows.row(of: place.item.id), abs(row - place.row) > 1
        else { return }
        let clause = whereabouts(of: place.item.id, row - place.row)
        if ui.toastSerial != place.toast {
            ui.toast?.insert(", \(clause)")
        } else if ui.bulk == nil {
            let name = Confirmation.shown(items[place.item.id]?.name ?? place.item.name)
            ui.show("\(clause.sentenceCased): “\(name)”", hint: "u undo")
        }
        select(row: row < place.row ? place.row + 1 : place.row)
        ui.itemScroll = place.scroll
        // Keys that arrived in the same read were typed before the new selection was painted.
        ui.lostSubject = .replaced(keySubject)
    }

    private func whereabouts(of id: Item.ID, _ distance: Int) -> String {
        guard let item = items[id], isIncluded(item) else { return "no longer visible" }
        let heading = headedSort(Layout(self)).flatMap {
            DayHeading(of: item, sortedBy: $0, today: today, calendar: query.calendar)
        }
        if let heading { return "now under \(heading.title)" }
        return "now \(abs(distance).grouped) rows \(distance < 0 ? "up" : "down")"
    }
}

extension Toast {
    /// Inserts `clause` before the name at the end of the message, or at the end if there is no
    /// name.
    fileprivate mutating func insert(_ clause: String) {
        let end = text.firstRange(of: ": “")?.lowerBound ?? text.endIndex
        text.insert(contentsOf: clause, at: end)
    }
}
