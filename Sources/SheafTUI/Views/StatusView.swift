import SheafApp
import Terminal

/// The last line: the mode, the state of saving, and either hints for keys or the last message.
enum StatusView {
    /// The minimum width at which the mode is shown beside a query. Narrower lines need its columns
    /// for an error in the query, and the `/` before the line shows the mode.
    private static let minFindWidth = 64
    /// The columns that the status line reserves for the keys that can follow, if more of these
    /// keys are on lines above it.
    private static let minSequenceColumns = 24
    /// The minimum number of columns of a cut name in a message, including quotation marks.
    private static let minName = 10

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
        if region.width >= minFindWidth {
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
        if let hint = filter.completions?.listed ?? state.fault(in: filter.line),
            state.ui.toast?.isAlert != true
        {
            if let place = error?.place, !place.isEmpty {
                // The sign shows at which end of the visible line the error lies.
                if place.upperBound <= shown.lowerBound {
                    canvas.put("‹", at: line.origin, style: Theme.fault)
                } else if place.lowerBound >= shown.upperBound {
                    canvas.put("›", at: Point(x: line.maxX - 1, y: region.y), style: Theme.fault)
                }
            }
            let style = filter.completions == nil ? Theme.waiting : Theme.text
            let above = maxLinesAbove(region)
            if above > 0 {
                drawAbove(hint, style, limit: above, region, on: &canvas)
            } else {
                let sign = Point(x: line.maxX + 1, y: region.y)
                x = sign.x + canvas.put(saving.sign, at: sign, style: saving.style) + 2
                canvas.put(
                    DisplayText.truncatedAfterWord(hint, to: region.maxX - x - 1),
                    at: Point(x: x, y: region.y), style: style)
                return
            }
        }
        x = line.maxX + 1
        let rest = Rect(x: x, y: region.y, width: region.width - x, height: 1)
        draw(state, "", saving, keymap, in: rest, on: &canvas)
    }

    /// Returns the maximum number of pane lines that the status line may cover.
    static func maxLinesAbove(_ status: Rect) -> Int { status.y / 3 }

    /// Draws `text` on at most `limit` lines above the status line.
    static func drawAbove(
        _ text: String, _ style: Style, limit: Int, _ status: Rect, on canvas: inout Canvas
    ) {
        let lines = linesAbove(of: text, limit: limit, status)
        for (index, line) in lines.enumerated() {
            let y = status.y - lines.count + index
            canvas.fill(Rect(x: status.x, y: y, width: status.width, height: 1))
            canvas.put(line, at: Point(x: status.x + 1, y: y), style: style)
        }
    }

    /// Returns the lines on which ``drawAbove(_:_:limit:_:on:)`` draws `text`.
    static func linesAbove(of text: String, limit: Int, _ status: Rect) -> [String] {
        let room = status.width - 2
        var lines = [StyledText(text: text)].wrapped(to: room, limit: limit + 1)
            .map { $0.map(\.text).joined() }
        if lines.count > limit {
            let rest = lines[(limit - 1)...].joined(separator: " ")
            lines[(limit - 1)...] = [DisplayText.truncatedAfterWord(rest, to: room)]
        }
        return lines
    }

    /// Draws the state, then the last message or hints for keys in the rest of the line.
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
        let isSequence = !state.ui.pendingKeys.isEmpty
        let toast = isSequence ? nil : state.ui.toast
        let hints =
            toast == nil
            ? keymap.hints(in: isWaiting ? .waiting : KeyContext(state), of: state) : []
        let room = region.width - DisplayText.width(of: typed) - gap
        // The keys that can follow in a sequence are more important than words.
        let most = room - DisplayText.width(of: saving.sign) - 4
        let hintGap = isSequence && width(of: hints, gap: 3) > most ? 2 : 3
        let marks = marks(of: state)
        var wanted: [Int] = []
        if let toast {
            wanted = columns(of: toast)
        } else if isSequence {
            let all = width(of: hints, gap: hintGap)
            wanted = all <= most ? [all] : [minSequenceColumns]
        } else if marks == nil, saving.style != Theme.alert {
            wanted = [width(of: Array(hints.prefix(1) + hints.dropFirst().suffix(1)), gap: hintGap)]
        }
        var x = StatusPrefix.fitting(
            mode, marks, saving, beside: wanted.map { $0 + 4 },
            isMessage: toast != nil || isSequence, in: room
        ).draw(room, in: region, on: &canvas)
        if !typed.isEmpty {
            x += gap
            x += canvas.put(
                typed, at: Point(x: x, y: region.y),
                style: isWaiting ? Theme.waiting : Theme.strong)
        }
        let end = region.x + region.width
        let rest = Rect(x: x + 3, y: region.y, width: end - x - 4, height: 1)
        if isSequence {
            return drawSequence(hints, gap: hintGap, in: rest, above: region, on: &canvas)
        }
        guard rest.width > 0 else { return }
        if let toast {
            drawToast(toast, in: rest, on: &canvas)
        } else {
            drawHints(hints, gap: hintGap, in: rest, on: &canvas)
        }
    }

    /// Returns the number of marked items, or the progress of a bulk command, and a shorter form
    /// for narrow lines.
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

    /// Returns the columns that a message needs, the best choice first. The first choices include
    /// the hint and all or part of the name at the end. The last one omits the hint.
    private static func columns(of toast: Toast) -> [Int] {
        let words = DisplayText.width(of: toast.text)
        guard let hint = toast.hint else { return [words] }
        let least = words - max(DisplayText.width(of: lastName(in: toast.text)) - minName, 0)
        return [words, max(least, min(words, 40)), least]
            .map { $0 + 3 + DisplayText.width(of: hint) } + [words]
    }

    /// Returns the name in quotation marks at the end of a message, or an empty text.
    private static func lastName(in text: String) -> Substring {
        text.last == "”" ? text.drop { $0 != "“" } : ""
    }

    /// Draws a message and its hint. If the message ends in a name, the name is cut to make room
    /// for the hint. Any other message shows its hint only if all of its words fit.
    private static func drawToast(_ toast: Toast, in region: Rect, on canvas: inout Canvas) {
        var text = DisplayText.truncatedAfterWord(toast.text, to: region.width)
        var hint = toast.hint.map { "   \($0)" } ?? ""
        let room = region.width - DisplayText.width(of: hint)
        if DisplayText.width(of: toast.text) > room {
            let name = DisplayText.width(of: lastName(in: toast.text))
            let words = DisplayText.width(of: toast.text) - name
            if name > 0, words + minName <= room {
                text = DisplayText.truncated(toast.text, to: room - 1) + "”"
            } else {
                hint = ""
            }
        }
        let width = DisplayText.width(of: text)
        let x = region.x + max(region.width - width - DisplayText.width(of: hint), 0)
        canvas.put(
            text, at: Point(x: x, y: region.y), style: toast.isAlert ? Theme.alert : Theme.text)
        canvas.put(hint, at: Point(x: x + width, y: region.y), style: Theme.accent)
    }

    private static func width(of hints: [(key: String, text: String)], gap: Int) -> Int {
        hints.reduce(0) { $0 + DisplayText.width(of: $1.key + $1.text) + 1 }
            + max(hints.count - 1, 0) * gap
    }

    /// Draws the hints that fit, from the first. The last hint (help or Esc) has priority over
    /// those between, and Enter has priority over Esc.
    private static func drawHints(
        _ hints: [(key: String, text: String)], gap: Int, in region: Rect, on canvas: inout Canvas
    ) {
        var hints = hints
        while hints.count > 1, width(of: hints, gap: gap) > region.width {
            let isEnterOrEsc = hints[0].key == "Enter" && hints[1].key == "Esc"
            hints.remove(at: hints.count > 2 ? hints.count - 2 : isEnterOrEsc ? 1 : 0)
        }
        draw(hints, gap: gap, in: region, on: &canvas)
    }

    /// Draws the keys that can follow in a sequence. The last ones are drawn in `rest`, at the end
    /// of the status line `status`, and the others on lines above it.
    private static func drawSequence(
        _ hints: [(key: String, text: String)], gap: Int, in rest: Rect, above status: Rect,
        on canvas: inout Canvas
    ) {
        let whole = status.inset(left: 1, right: 1)
        var hints = hints
        var lines = Self.lines(of: hints, gap: gap, in: rest.width, whole.width)
        while !hints.isEmpty, lines.count - 1 > maxLinesAbove(status) {
            hints.removeLast()
            lines = Self.lines(of: hints, gap: gap, in: rest.width, whole.width)
        }
        for (above, line) in lines.enumerated() {
            var place = above == 0 ? rest : whole
            place.y -= above
            if above > 0 {
                canvas.fill(Rect(x: status.x, y: place.y, width: status.width, height: 1))
            }
            draw(line, gap: gap, in: place, on: &canvas)
        }
    }

    /// Returns the hints of each line, from the lowest line up. The first line has at most `lowest`
    /// columns of hints, and each other line at most `others`.
    private static func lines(
        of hints: [(key: String, text: String)], gap: Int, in lowest: Int, _ others: Int
    ) -> [[(key: String, text: String)]] {
        var lines: [[(key: String, text: String)]] = [[]]
        for hint in hints.reversed() {
            let line = [hint] + lines[lines.count - 1]
            if width(of: line, gap: gap) <= (lines.count == 1 ? lowest : others) {
                lines[lines.count - 1] = line
            } else {
                lines.append([hint])
            }
        }
        return lines
    }

    private static func draw(
        _ hints: [(key: String, text: String)], gap: Int, in region: Rect, on canvas: inout Canvas
    ) {
        let width = width(of: hints, gap: gap)
        guard width <= region.width else { return }
        var x = region.x + region.width - width
        for hint in hints {
            x += canvas.put(hint.key, at: Point(x: x, y: region.y), style: Theme.strong) + 1
            x += canvas.put(hint.text, at: Point(x: x, y: region.y), style: Theme.dim) + gap
        }
    }
}
