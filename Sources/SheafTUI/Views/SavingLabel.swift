import SheafApp
import Terminal

/// The state of saving as text for the status line.
struct SavingLabel {
    var text: String
    /// The text without reasons and countdowns, for narrow lines.
    var short: String
    var style: Style
    /// The text in one column. A warning keeps its short text.
    var sign: String { style == Theme.alert ? short : String(short.prefix(1)) }

    init(_ state: borrowing AppState, at moment: Moment) {
        let status = state.saving
        let unsaved = status.pending + state.list.waitingChanges
        switch status.phase {
        case .saved where state.list.unreadableReason != nil:
            short = "! NO ACCESS"
            text = "! \(state.list.unreadableReason ?? "")"
            style = Theme.alert
        case .saved where state.isSaved:
            if state.list.isPartial {
                text = state.items.isEmpty ? "! cannot be read" : "! partly read"
                style = Theme.alert
            } else {
                text = "✓ saved"
                style = Theme.good
            }
            short = text
        case .saved, .unsaved:
            let due = status.flushDue.map { ", next save in \(moment.countdown(to: $0))" } ?? ""
            // After a failure of storage outside a commit, a commit is due even if no change is
            // pending.
            short = unsaved == 0 ? "● not saved" : "● \(unsaved.grouped) unsaved"
            text = short + due
            style = Theme.waiting
        case .saving:
            text = "↻ saving"
            short = text
            style = Theme.busy
        case .failing:
            let next = status.nextTry.map { ", retry in \(moment.countdown(to: $0))" } ?? ""
            short = "! NOT SAVED"
            text = "\(short): \(status.reasonNotSaved ?? "storage failed")\(next)"
            style = Theme.alert
        }
    }
}
