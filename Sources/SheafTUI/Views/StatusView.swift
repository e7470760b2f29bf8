import SheafCore
import Terminal

/// The last line: what keys mean now, whether all is saved, and what to press or what just
/// happened.
enum StatusView {
    static func draw(
        _ state: AppState, _ keymap: Keymap, in region: Rect, at moment: Moment,
        on canvas: inout Canvas
    ) {
        var x = region.x
        let mode = " \(modeName(of: state)) "
        if region.width >= 30 {
            x += canvas.put(mode, at: Point(x: x, y: region.y), style: Theme.mode) + 1
        }
        if case .filter(let filter) = state.ui.mode {
            x += canvas.put("/", at: Point(x: x, y: region.y), style: Theme.accent)
            let width = min(max(region.width / 3, 10), region.width - x)
            let error = state.query.error
            canvas.put(
                filter.line, in: Rect(x: x, y: region.y, width: width, height: 1),
                style: Theme.draft, marks: error.map { [($0.place, Theme.fault)] } ?? [])
            x += width + 1
            if let error, state.ui.toast?.isAlert != true {
                canvas.put(
                    DisplayText.truncatedAfterWord(error.reason, to: region.width - x - 1),
                    at: Point(x: x, y: region.y), style: Theme.waiting)
                return
            }
        }
        if let question = Question(state) {
            let rest = Rect(x: x, y: region.y, width: region.width - x - 1, height: 1)
            return drawQuestion(
                question, SavingLabel(state, at: moment), in: rest, on: &canvas)
        }
        x += drawMarks(state, x, in: region, on: &canvas)
        let saving = SavingLabel(state, at: moment)
        x += canvas.put(
            label(saving, beside: state.ui.toast, columns: region.width - x),
            at: Point(x: x, y: region.y), style: saving.style, maxColumns: region.width - x)
        let isWaiting =
            state.ui.waitingKeys > 0 && (state.list.loading != nil || state.ui.bulk != nil)
        if isWaiting {
            x += 3
            x += canvas.put(
                waiting(state.ui.waitingKeys), at: Point(x: x, y: region.y), style: Theme.waiting)
        } else if !state.ui.pendingKeys.isEmpty || state.ui.count != nil {
            x += 2
            let count = state.ui.count.map(String.init) ?? ""
            x += canvas.put(
                count + state.ui.pendingKeys.joined(), at: Point(x: x, y: region.y),
                style: Theme.strong)
        }
        let rest = Rect(x: x + 3, y: region.y, width: region.width - x - 4, height: 1)
        guard rest.width > 0 else { return }
        if let toast = state.ui.toast {
            drawToast(toast, in: rest, on: &canvas)
        } else {
            let context = isWaiting ? .waiting : KeyContext(state)
            drawHints(keymap.hints(in: context, of: state), in: rest, on: &canvas)
        }
    }

    /// How many items are marked, or how far a command that is about many has come. Returns the
    /// columns that it takes.
    private static func drawMarks(
        _ state: AppState, _ x: Int, in region: Rect, on canvas: inout Canvas
    ) -> Int {
        guard let text = marks(of: state), region.width >= 50 else { return 0 }
        return canvas.put(text, at: Point(x: x, y: region.y), style: Theme.waiting) + 3
    }

    private static func marks(of state: AppState) -> String? {
        if let bulk = state.ui.bulk {
            return "\(bulk.title): \(bulk.done.grouped) of \(bulk.total.grouped)"
        }
        let marks = state.ui.marks
        var parts: [String] = []
        if let range = state.markedRange {
            parts.append(
                range.count == 1 ? "range of 1 row" : "range of \(range.count.grouped) rows")
        }
        if marks.fillingCount > 0 {
            parts.append("marking \(marks.fillingCount.grouped) rows")
        } else if marks.count > 0 {
            parts.append("\(marks.count.grouped) marked")
        }
        if let hidden = marks.hiddenCount, hidden > 0 { parts.append("\(hidden.grouped) hidden") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The state of saving, without reasons and countdowns where the words of `toast` have no room
    /// beside them.
    private static func label(
        _ saving: SavingLabel, beside toast: Toast?, columns: Int
    ) -> String {
        guard let toast else { return saving.text }
        let width = DisplayText.width(of: toast.text)
        return DisplayText.width(of: saving.text) + 4 + width > columns ? saving.short : saving.text
    }

    private static func waiting(_ count: Int) -> String {
        count == 1 ? "1 key waiting for the list" : "\(count.grouped) keys waiting for the list"
    }

    private static func modeName(of state: AppState) -> String {
        if state.leaving.isAsking { return "SURE?" }
        return switch state.ui.mode {
        case .normal: state.ui.pane.title.uppercased()
        case .draft(let draft):
            switch draft.target {
            case .renamedItem, .renamedTag, .renamedView: "RENAME"
            case .newItem, .newItemAtEnd, .newTag, .newView: "ADD"
            }
        case .filter: "FIND"
        case .sortMenu: "SORT"
        case .tagPicker: "TAG"
        case .prompt(let prompt): prompt.field.title.uppercased()
        case .confirmation: "SURE?"
        case .help: "HELP"
        case .palette: "PALETTE"
        }
    }

    /// What is asked, with the keys that answer it.
    private struct Question {
        let text: String
        let keys: String
        let shortKeys: String

        init?(_ state: borrowing AppState) {
            if let question = state.leavingQuestion {
                text = question
                keys = "r retry   f keep   y discard   n stay"
                shortKeys = "r f y n"
            } else if case .confirmation(let confirmation) = state.ui.mode {
                text = confirmation.question
                keys =
                    "y \(confirmation.verb)   n \(confirmation.preview.isEmpty ? "keep" : "cancel")"
                shortKeys = keys
            } else {
                return nil
            }
        }
    }

    /// A question has to be readable whatever else there is to say: the state of saving goes first,
    /// then the words beside the keys, then the end of the question.
    private static func drawQuestion(
        _ question: Question, _ saving: SavingLabel, in region: Rect,
        on canvas: inout Canvas
    ) {
        let width = DisplayText.width(of: question.text)
        let hasRoom = min(width, 28) + question.keys.utf8.count + 2 <= region.width
        let keys = hasRoom ? question.keys : question.shortKeys
        var rest = region
        let label = DisplayText.width(of: saving.short) + 3
        if label + width + keys.utf8.count + 2 <= region.width {
            canvas.put(saving.short, at: Point(x: rest.x, y: rest.y), style: saving.style)
            rest = Rect(x: rest.x + label, y: rest.y, width: rest.width - label, height: 1)
        }
        let room = canvas.putRight(keys, in: rest, style: Theme.strong) - 2
        canvas.put(
            DisplayText.truncated(question.text, to: max(room, 0)),
            at: Point(x: rest.x, y: rest.y), style: Theme.waiting)
    }

    /// The hint goes first, if the words have room without it; where they are cut all the same, it
    /// stays.
    private static func drawToast(_ toast: Toast, in region: Rect, on canvas: inout Canvas) {
        var hint = toast.hint.map { "   \($0)" } ?? ""
        var room = region.width - DisplayText.width(of: hint)
        let whole = DisplayText.width(of: toast.text)
        if whole > room, whole <= region.width { (hint, room) = ("", region.width) }
        let text = DisplayText.truncatedAfterWord(toast.text, to: max(room, 0))
        let width = DisplayText.width(of: text)
        let x = region.x + max(region.width - width - DisplayText.width(of: hint), 0)
        canvas.put(
            text, at: Point(x: x, y: region.y), style: toast.isAlert ? Theme.alert : Theme.text)
        canvas.put(hint, at: Point(x: x + width, y: region.y), style: Theme.accent)
    }

    /// The hints that fit, the first ones first; help, the last, always.
    private static func drawHints(
        _ hints: [(key: String, text: String)], in region: Rect, on canvas: inout Canvas
    ) {
        var hints = hints
        func width() -> Int {
            hints.reduce(0) { $0 + DisplayText.width(of: $1.key + $1.text) + 1 }
                + max(hints.count - 1, 0) * 3
        }
        while hints.count > 1, width() > region.width { hints.remove(at: hints.count - 2) }
        guard width() <= region.width else { return }
        var x = region.x + region.width - width()
        for hint in hints {
            x += canvas.put(hint.key, at: Point(x: x, y: region.y), style: Theme.strong) + 1
            x += canvas.put(hint.text, at: Point(x: x, y: region.y), style: Theme.dim) + 3
        }
    }
}
