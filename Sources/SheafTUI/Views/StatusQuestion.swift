import SheafApp
import Terminal

/// A question in the status line, with the keys that answer it. The question has priority over all
/// other text.
struct StatusQuestion {
    /// The question, followed by shorter and shorter forms.
    private let texts: [String]
    /// The name within the question. If the question is too long, the name is cut before the end.
    private let name: String?
    private let keys: String
    private let shortKeys: String

    init?(_ state: borrowing AppState) {
        if let question = state.leavingQuestion {
            texts = [question]
            name = nil
            keys = "r retry   y keep   d discard   n stay"
            shortKeys = "r y d n"
        } else if case .confirmation(let confirmation) = state.ui.mode {
            texts = [confirmation.question] + confirmation.shorterForms
            name = confirmation.name
            let literally = confirmation.offersLiteral ? "   l literally" : ""
            let no = confirmation.preview.isEmpty ? "keep" : "cancel"
            keys = "y \(confirmation.verb)\(literally)   n \(no)"
            shortKeys = confirmation.offersLiteral ? "y l n" : "y n"
        } else {
            return nil
        }
    }

    /// The minimum number of columns of a cut name.
    private static let minName = 8

    /// One layout of the question.
    private struct Layout {
        var text: String
        var keys: String
        var mode = ""
        var saving = ""

        /// The columns beside the question, including the last one of the line.
        var others: Int {
            (mode.isEmpty ? 0 : DisplayText.width(of: mode) + 1)
                + (saving.isEmpty ? 0 : DisplayText.width(of: saving) + 3)
                + (keys.isEmpty ? 0 : DisplayText.width(of: keys) + 2) + 1
        }
    }

    /// Returns the longest layout that fits. The state of saving is omitted first, then the mode,
    /// the words beside the keys, and words of the question. Each shorter form of the question
    /// omits the keys before the next form is tried.
    private func layout(_ mode: String, _ saving: String, columns: Int) -> Layout {
        let whole = Layout(text: texts[0], keys: keys, mode: mode, saving: saving)
        if DisplayText.width(of: texts[0]) + whole.others <= columns { return whole }
        let ways =
            [
                Layout(text: texts[0], keys: keys, mode: mode),
                Layout(text: texts[0], keys: keys),
            ]
            + texts.enumerated().flatMap { place, text in
                [
                    Layout(text: text, keys: shortKeys, mode: mode),
                    Layout(text: text, keys: shortKeys),
                ] + (place > 0 ? [Layout(text: text, keys: "")] : [])
            }
        return ways.first { minWidth(of: $0.text) + $0.others <= columns }
            ?? Layout(text: texts[texts.count - 1], keys: texts.count > 1 ? "" : shortKeys)
    }

    private func minWidth(of text: String) -> Int {
        let width = DisplayText.width(of: text)
        guard let name, text.contains("“\(name)”") else { return width }
        return width - max(DisplayText.width(of: name) - Self.minName, 0)
    }

    /// Returns `text` in at most `columns` columns, with the name cut rather than the end.
    private func cut(_ text: String, to columns: Int) -> String {
        let excess = DisplayText.width(of: text) - columns
        guard excess > 0, let name, text.contains("“\(name)”") else {
            return DisplayText.truncated(text, to: max(columns, 0))
        }
        let short = DisplayText.truncated(name, to: max(DisplayText.width(of: name) - excess, 1))
        return DisplayText.truncated(
            text.replacing("“\(name)”", with: "“\(short)”", maxReplacements: 1), to: max(columns, 0)
        )
    }

    /// Returns the number of lines above the status line that the question takes. It is 0 if the
    /// full question and the full keys fit in the status line.
    func linesAbove(_ status: Rect) -> Int {
        let whole = Layout(text: texts[0], keys: keys)
        let isLong = minWidth(of: whole.text) + whole.others > status.width
        let most = StatusView.maxLinesAbove(status)
        guard isLong, most > 0, DisplayText.width(of: keys) + 2 < status.width else { return 0 }
        return StatusView.linesAbove(of: texts[0], limit: most, status).count
    }

    /// Draws the question. It uses lines above the status line if its words and those of the keys
    /// do not fit there.
    func draw(
        beside mode: String, _ saving: SavingLabel, in region: Rect, on canvas: inout Canvas
    ) {
        if linesAbove(region) > 0 {
            let above = StatusView.maxLinesAbove(region)
            StatusView.drawAbove(texts[0], Theme.waiting, limit: above, region, on: &canvas)
            var rest = Rect(x: region.x, y: region.y, width: region.width - 1, height: 1)
            let room = canvas.putRight(keys, in: rest, style: Theme.strong)
            for (text, style) in [(mode, Theme.mode), (saving.short, saving.style)]
            where rest.x + DisplayText.width(of: text) + 1 < region.x + room {
                let columns = canvas.put(text, at: rest.origin, style: style) + 1
                rest = Rect(x: rest.x + columns, y: rest.y, width: rest.width - columns, height: 1)
            }
            return
        }
        let layout = layout(mode, saving.short, columns: region.width)
        var rest = Rect(x: region.x, y: region.y, width: region.width - 1, height: 1)
        func skip(_ columns: Int) {
            rest = Rect(x: rest.x + columns, y: rest.y, width: rest.width - columns, height: 1)
        }
        if !layout.mode.isEmpty {
            skip(canvas.put(layout.mode, at: rest.origin, style: Theme.mode) + 1)
        }
        if !layout.saving.isEmpty {
            skip(canvas.put(layout.saving, at: rest.origin, style: saving.style) + 3)
        }
        var room = rest.width
        if !layout.keys.isEmpty {
            room = canvas.putRight(layout.keys, in: rest, style: Theme.strong) - 2
        }
        canvas.put(cut(layout.text, to: room), at: rest.origin, style: Theme.waiting)
    }
}
