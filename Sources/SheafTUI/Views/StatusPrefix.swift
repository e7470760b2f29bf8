import Terminal

/// The beginning of the status line: the mode, the marked items, and the state of saving. Its texts
/// are as long as the message after them allows.
struct StatusPrefix {
    private let mode: String
    private let marks: String
    private let saving: String
    private let style: Style
    private let gap: Int

    private init(
        _ mode: String, _ marks: String, _ saving: String, _ label: SavingLabel, gap: Int = 3
    ) {
        self.mode = mode
        self.marks = marks
        self.saving = saving
        self.gap = gap
        style = label.style
    }

    /// The minimum number of columns of a cut message. With less room, the prefix is shortened
    /// instead.
    private static let minMessage = 24

    /// Returns the longest prefix that leaves enough room for the text after it. `wanted` holds the
    /// numbers of columns that this text can use, the best one first.
    static func fitting(
        _ mode: String, _ marks: (text: String, short: String)?, _ label: SavingLabel,
        beside wanted: [Int], isMessage: Bool, in room: Int
    ) -> StatusPrefix {
        let (all, some) = (marks?.text ?? "", marks?.short ?? "")
        let ways = [
            StatusPrefix(mode, all, label.text, label), StatusPrefix(mode, all, label.short, label),
            StatusPrefix("", all, label.short, label), StatusPrefix("", all, label.sign, label),
            StatusPrefix("", some, label.sign, label),
            StatusPrefix("", some, label.sign, label, gap: 1),
        ]
        for columns in wanted {
            if let fitting = ways.first(where: { $0.width + columns <= room }) { return fitting }
        }
        if isMessage {
            if ways[2].width + minMessage <= room { return ways[2] }
        } else if marks == nil, ways[1].width <= room {
            // The end of the reason is cut.
            return ways[0]
        }
        return ways.first { $0.width <= room } ?? StatusPrefix("", "", label.sign, label)
    }

    private var width: Int {
        (mode.isEmpty ? 0 : DisplayText.width(of: mode) + 1)
            + (marks.isEmpty ? 0 : DisplayText.width(of: marks) + gap)
            + DisplayText.width(of: saving)
    }

    /// Draws the prefix in at most `room` columns, and returns the column after it.
    func draw(_ room: Int, in region: Rect, on canvas: inout Canvas) -> Int {
        var x = region.x
        if !mode.isEmpty {
            x += canvas.put(mode, at: Point(x: x, y: region.y), style: Theme.mode) + 1
        }
        if !marks.isEmpty {
            x += canvas.put(marks, at: Point(x: x, y: region.y), style: Theme.waiting) + gap
        }
        return x
            + canvas.put(
                saving, at: Point(x: x, y: region.y), style: style,
                maxColumns: max(region.x + room - x, 0))
    }
}
