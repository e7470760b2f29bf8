import SheafCore
import Terminal

/// The state of saving, in the words of the status line.
struct SavingLabel {
    var text: String
    var style: Style

    init(_ status: PersistenceStatus, at moment: Moment) {
        switch status.phase {
        case .saved:
            text = "✓ saved"
            style = Theme.good
        case .unsaved:
            let due = status.flushDue.map { ", flush in \(moment.countdown(to: $0))" } ?? ""
            text = "● \(status.pending) unsaved\(due)"
            style = Theme.waiting
        case .saving:
            text = "↻ saving"
            style = Theme.busy
        case .failing:
            let next = status.nextTry.map { ", retry in \(moment.countdown(to: $0))" } ?? ""
            text = "! NOT SAVED: \(status.failure ?? "storage failed")\(next)"
            style = Theme.alert
        }
    }
}
