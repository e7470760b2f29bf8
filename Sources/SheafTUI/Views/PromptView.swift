import SheafApp
import Terminal

/// `D`, `gD`, `gR`: a line for a day or a recurrence, its interpretation, and two months with the
/// day marked, if they fit.
enum PromptView {
    private static let width = 48
    /// The columns of a month: two digits a day, and the gaps between them.
    private static let monthColumns = 20
    /// The maximum number of lines of the interpretation.
    private static let maxLines = 4
    /// The minimum number of columns for the calendar. Narrower screens show only the line.
    private static let minCalendarColumns = 50

    static func draw(
        _ prompt: ItemPrompt, _ state: AppState, _ layout: Layout, on canvas: inout Canvas
    ) {
        let months =
            prompt.field == .repeat || layout.size.columns < minCalendarColumns
            ? [] : months(from: state.day(in: prompt) ?? state.today)
        let row = state.ui.selectedItem.flatMap(state.screenRow)
        let weeks = months.map(weeks).max() ?? 0
        let (words, style) = understood(prompt, state)
        let room = min(width, layout.size.columns) - 6
        let lines = [StyledText(text: words, style: style)].wrapped(to: room, limit: maxLines)
        // The five other lines are two of the frame, the typed line, the names of the months and
        // the weekdays.
        let height = weeks + lines.count + 5
        var box = layout.box(columns: width, rows: height, beside: row)
        let hasCalendar = !months.isEmpty && box.height >= height - 1
        if !hasCalendar {
            box = layout.box(columns: width, rows: lines.count + 3, beside: row)
        }
        let inner = canvas.box(box, title: state.title(of: prompt), in: layout)
        ChoiceList.draw(prompt.line, in: inner, on: &canvas)
        guard inner.height > lines.count else {
            canvas.put(
                DisplayText.truncated(words, to: max(inner.width - 4, 0)),
                at: Point(x: inner.x + 3, y: inner.y + 1), style: style,
                maxColumns: inner.height > 1 ? inner.width - 4 : 0)
            return
        }
        for (index, line) in lines.enumerated() {
            let place = Point(x: inner.x + 3, y: inner.y + 1 + index)
            canvas.put(line, at: place, columns: max(inner.width - 4, 0))
        }
        guard hasCalendar else { return }
        for (index, month) in months.enumerated() {
            let place = Rect(
                x: inner.x + 2 + index * (monthColumns + 3), y: inner.y + 1 + lines.count,
                width: monthColumns, height: inner.height - 1 - lines.count)
            draw(
                month, marking: state.day(in: prompt), state.today,
                hasWeekdays: weeks + 2 <= place.height, in: place, on: &canvas)
        }
    }

    /// Returns the first days of the month of `day` and of the next month, if the calendar has a
    /// next month.
    private static func months(from day: CalendarDay) -> [CalendarDay] {
        [day.firstOfMonth] + [day.firstOfMonth.adding(months: 1)].compactMap(\.self)
    }

    /// Returns the number of weeks, from Monday to Sunday, that contain a day of the month.
    private static func weeks(of month: CalendarDay) -> Int {
        (month.weekday.rawValue + month.lastOfMonth.day + 6) / 7
    }

    /// Draws the month that begins with `first`, below a line with the days of the week if all
    /// months have room for that line.
    private static func draw(
        _ first: CalendarDay, marking marked: CalendarDay?, _ today: CalendarDay,
        hasWeekdays: Bool, in region: Rect, on canvas: inout Canvas
    ) {
        canvas.put(
            "\(first.fullMonthName) \(first.year)", at: region.origin, style: Theme.title)
        var y = region.y + 1
        if hasWeekdays {
            canvas.put("Mo Tu We Th Fr Sa Su", at: Point(x: region.x, y: y), style: Theme.dim)
            y += 1
        }
        for day in 0..<first.lastOfMonth.day {
            let place = day + first.weekday.rawValue
            let date = first.advanced(days: day)
            let style =
                date == marked ? Theme.mode : date == today ? Theme.today : Theme.text
            let digits = day < 9 ? " \(day + 1)" : "\(day + 1)"
            canvas.put(
                digits, at: Point(x: region.x + place % 7 * 3, y: y + place / 7), style: style)
        }
    }

    private static func understood(_ prompt: ItemPrompt, _ state: AppState) -> (String, Style) {
        do throws(TypedError) {
            return (try state.description(of: prompt), Theme.dim)
        } catch {
            return (error.reason.sentenceCased, Theme.waiting)
        }
    }
}
