import SheafList
import Swidux

/// Keeps the selection at its place in a sorted list if an edit moves its item away: the next row
/// is selected, as after a deletion.
extension AppState {
    /// The selection before an edit.
    struct SelectionPlace {
        fileprivate let item: Item
        fileprivate let row: Int
        fileprivate let scroll: ScrollPosition
        fileprivate let items: Revision
        fileprivate let toast: Int
    }

    /// Returns the selection if `action` is a command and rows are sorted, else `nil`.
    func selectionPlace(before action: AppAction) -> SelectionPlace? {
        // A new item is selected wherever it goes.
        guard shownSort != nil, let item = selectedItem, ui.typedItem?.isNew != true,
            AppAction.undoRole(of: action, before: self).isCommand
        else { return nil }
        return SelectionPlace(
            item: item, row: ui.selectedRow, scroll: ui.itemScroll, items: items.revision,
            toast: ui.toastSerial)
    }

    /// Returns the selection to `place` if the edit moved the item by more than a row, and shows
    /// the item's new place, in the message about the edit if there is one.
    mutating func keepSelection(at place: SelectionPlace) {
        // Other items may have moved past the selected one, which stays selected then.
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
        // For keys that came in the same read: the new selection has not been painted.
        ui.lostSubject = .replaced(keySubject)
    }

    private func whereabouts(of id: Item.ID, _ distance: Int) -> String {
        guard let item = items[id], isIncluded(item) else { return "no longer shown" }
        let heading = headedSort(Layout(self)).flatMap {
            DayHeading(of: item, sortedBy: $0, today: today, calendar: query.calendar)
        }
        if let heading { return "now under \(heading.title)" }
        return "now \(abs(distance).grouped) rows \(distance < 0 ? "up" : "down")"
    }
}

extension Toast {
    /// Puts `clause` before the name at the end of the message, if it has one.
    fileprivate mutating func insert(_ clause: String) {
        let end = text.firstRange(of: ": “")?.lowerBound ?? text.endIndex
        text.insert(contentsOf: clause, at: end)
    }
}
