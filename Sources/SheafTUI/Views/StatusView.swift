import SheafCore
import Terminal

/// The last line: what keys mean now, whether all is saved, and what to press or what just
/// happened.
enum StatusView {
    /// Narrower lines need the columns of the mode for what is wrong with a query; the `/`
    /// before the line tells the mode.
    private static let leastFindWidth = 64

    static func draw(
        _ state: AppState, _ keymap: Keymap, in region: Rect, at moment: Moment,
        on canvas: inout Canvas
    ) {
        let mode = region.width >= 30 ? " \(modeName(of: state)) " : ""
        let saving = SavingLabel(state, at: moment)
        if let question = StatusQuestion(state) {
            return question.draw(beside: mode, saving, in: region, on: &canvas)
        }
        guard case .filter(let filter) = state.ui.mode else {
            return draw(state, mode, saving, keymap, in: region, on: &canvas)
        }
        var x = region.x
        if region.width >= leastFindWidth {
            x += canvas.put(mode, at: Point(x: x, y: region.y), style: Theme.mode) + 1
        }
        let slash = Point(x: x, y: region.y)
        x += canvas.put("/", at: slash, style: Theme.accent)
        let width = min(max(region.width / 3, 10), region.maxX - x)
        let error = state.query.error
        let line = Rect(x: x, y: region.y, width: width, height: 1)
        let shown = canvas.put(
            filter.line, in: line, style: Theme.draft,
            marks: error.map { [($0.place, Theme.fault)] } ?? [])
        if let hint = filter.completions ?? state.fault(in: filter.line),
            state.ui.toast?.isAlert != true
        {
            var typed = min(DisplayText.width(of: filter.line.text, upTo: width) + 1, width)
            if let place = error?.place, !place.isEmpty {
                // Which end of the line it is beyond.
                if place.upperBound <= shown.lowerBound {
                    canvas.put("‹", at: slash, style: Theme.fault)
                } else if place.lowerBound >= shown.upperBound {
                    canvas.put("›", at: Point(x: line.maxX, y: region.y), style: Theme.fault)
                    typed += 1
                }
            }
            // A long one takes what the line does not need.
            let hintColumns = DisplayText.width(of: hint) + DisplayText.width(of: saving.sign) + 2
            x = max(min(line.maxX + 1, region.maxX - 1 - hintColumns), x + typed + 1)
            let sign = Point(x: x, y: region.y)
            x += canvas.put(saving.sign, at: sign, style: saving.style) + 2
            canvas.put(
                DisplayText.truncatedAfterWord(hint, to: region.maxX - x - 1),
                at: Point(x: x, y: region.y),
                style: filter.completions == nil ? Theme.waiting : Theme.text)
            return
        }
        x = line.maxX + 1
        let rest = Rect(x: x, y: region.y, width: region.width - x, height: 1)
        draw(state, "", saving, keymap, in: rest, on: &canvas)
    }

    /// What is known, then what happened or what to press, in what is left of the line.
    private static func draw(
        _ state: AppState, _ mode: String, _ saving: SavingLabel, _ keymap: Keymap,
        in region: Rect, on canvas: inout Canvas
    ) {
        let isWaiting =
            state.ui.waitingKeys > 0 && (state.list.loading != nil || state.ui.bulk != nil)
        var (typed, gap) = ("", 0)
        if isWaiting {
            (typed, gap) = (waiting(state.ui.waitingKeys), 3)
        } else if !state.ui.pendingKeys.isEmpty || state.ui.count != nil {
            let count = state.ui.count.map(String.init) ?? ""
            (typed, gap) = (count + state.ui.pendingKeys.joined(), 2)
        }
        // During a key sequence, the hints for the next key replace the message.
        let toast = state.ui.pendingKeys.isEmpty ? state.ui.toast : nil
        let message = toast.map { DisplayText.width(of: $0.text) + 4 }
        let room = region.width - DisplayText.width(of: typed) - gap
        var x = StatusHead.fitting(mode, marks(of: state), saving, message: message, in: room)
            .draw(room, in: region, on: &canvas)
        if !typed.isEmpty {
            x += gap
            x += canvas.put(
                typed, at: Point(x: x, y: region.y),
                style: isWaiting ? Theme.waiting : Theme.strong)
        }
        let end = region.x + region.width
        let rest = Rect(x: x + 3, y: region.y, width: end - x - 4, height: 1)
        guard rest.width > 0 else { return }
        if let toast {
            drawToast(toast, in: rest, on: &canvas)
        } else {
            let context = isWaiting ? .waiting : KeyContext(state)
            drawHints(keymap.hints(in: context, of: state), in: rest, on: &canvas)
        }
    }

    /// How many items are marked, or how far a command that is about many has come; and the same
    /// where there is room for little of it.
    private static func marks(of state: AppState) -> (text: String, short: String)? {
        if let bulk = state.ui.bulk {
            let progress = "\(bulk.done.grouped) of \(bulk.total.grouped)"
            return ("\(bulk.title): \(progress)", progress)
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
        return parts.last.map { (parts.joined(separator: ", "), $0) }
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

    /// The hint is there beside the whole of the words alone.
    private static func drawToast(_ toast: Toast, in region: Rect, on canvas: inout Canvas) {
        let text = DisplayText.truncatedAfterWord(toast.text, to: region.width)
        let width = DisplayText.width(of: text)
        var hint = toast.hint.map { "   \($0)" } ?? ""
        if DisplayText.width(of: toast.text) + DisplayText.width(of: hint) > region.width {
            hint = ""
        }
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
