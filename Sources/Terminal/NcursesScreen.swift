import CNcurses

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The terminal on standard input and output, drawn with ncurses.
///
/// ncurses only draws. ``TerminalInput`` reads and decodes keys. The cost of a frame is
/// proportional to the rows that differ from the last frame, and only cells that differ are sent to
/// the terminal. The size is read only on demand, since the program handles SIGWINCH itself.
/// ncurses has one screen, so open one at a time, from the main thread.
@MainActor
package final class NcursesScreen: Screen {
    private enum State {
        case open, suspended, ended
    }

    package private(set) var size: Size
    private var state = State.open
    /// A Boolean value that indicates whether the terminal reports the mouse while the screen is
    /// open.
    private var wantsMouse = false
    private var pairs: ColorPairs
    /// The style that was drawn last, with its pair and attributes.
    private var lastLook: (style: Style, pair: Int32, attributes: UInt32)?
    /// The canvas that ncurses drew last, or nil if it must draw everything.
    private var last: Canvas?

    /// Opens the terminal: alternate screen, raw keys, bracketed paste. From now on, traps and
    /// signals that end the process restore the terminal first.
    ///
    /// - Parameter environment: the environment variables. `TERM` and `NO_COLOR` are used.
    /// - Throws: ``TerminalError``. The terminal is then unchanged.
    package init(environment: [String: String]) throws {
        let type = try Self.check(environment: environment)
        try Self.report(cnc_open(type), about: type)
        var hasDefault = false
        var capacity: Int32 = 0
        let isColorless = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let colors = isColorless ? 0 : cnc_start_color(&hasDefault, &capacity)
        pairs = ColorPairs(colors: Int(colors), hasDefault: hasDefault, capacity: Int(capacity))
        size = Self.fittedSize()
        cnc_install_signal_handlers()
    }

    /// Checks that there is a terminal to open, without touching it.
    ///
    /// - Parameter environment: the environment variables. `TERM` is used.
    /// - Returns: the terminal's type.
    /// - Throws: ``TerminalError``, except for errors that only ncurses can detect.
    @discardableResult
    package nonisolated static func check(environment: [String: String]) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else {
            throw TerminalError(
                .notATerminal,
                "standard input is not a terminal: start the screen from a terminal, without < or |"
            )
        }
        guard isatty(STDOUT_FILENO) == 1 else {
            throw TerminalError(
                .notATerminal,
                "standard output is not a terminal: start the screen without > or |")
        }
        guard let type = environment["TERM"], !type.isEmpty else {
            throw TerminalError(
                .noTerminalType,
                "TERM is not set: set it to the type of the terminal, such as TERM=xterm-256color")
        }
        try report(cnc_check(type), about: type)
        return type
    }

    /// Returns true if the system has a description of the terminal type.
    package nonisolated static func isKnown(type: String) -> Bool {
        Int(cnc_check(type)) != CNC_UNKNOWN_TERMINAL
    }

    /// Throws an error with advice for the user if the screen could not be opened.
    private nonisolated static func report(_ outcome: Int32, about type: String) throws {
        let shown = DisplayText.truncated(type, to: 40)
        switch Int(outcome) {
        case CNC_OPENED: return
        case CNC_UNKNOWN_TERMINAL:
            throw TerminalError(
                .unknownTerminalType,
                "the terminal type '\(shown)' is unknown here: set TERM to one that is known, "
                    + "such as TERM=xterm-256color, or install its terminfo entry")
        case CNC_NO_CURSOR_ADDRESSING:
            throw TerminalError(
                .incapableTerminal,
                "the terminal type '\(shown)' cannot place a cursor: set TERM to what the terminal "
                    + "really is, such as TERM=xterm-256color")
        default:
            throw TerminalError(.io, "the terminal cannot be opened: try another one")
        }
    }

    private static func fittedSize() -> Size {
        var columns: Int32 = 0
        var rows: Int32 = 0
        cnc_resize(&columns, &rows)
        return Size(columns: Int(columns), rows: Int(rows))
    }

    package func present(_ canvas: Canvas) {
        guard state == .open else { return }
        let known = last?.size == canvas.size ? last : nil
        var hasChanged =
            known == nil || known?.cursor != canvas.cursor
            || known?.hiddenCursor != canvas.hiddenCursor
        for y in 0..<min(size.rows, canvas.size.rows) {
            if let known, known.row(y, isThatOf: canvas) { continue }
            draw(canvas.row(y), y: y)
            hasChanged = true
        }
        guard hasChanged else { return }
        if known == nil, canvas.size.rows < size.rows {
            for y in canvas.size.rows..<size.rows { cnc_erase_row(Int32(y)) }
        }
        placeCursor(of: canvas)
        cnc_flush()
        last = canvas
    }

    private func placeCursor(of canvas: Canvas) {
        let bounds = Rect(size)
        if let cursor = canvas.cursor, bounds.contains(cursor) {
            cnc_cursor(Int32(cursor.y), Int32(cursor.x), true)
        } else if let cursor = canvas.hiddenCursor, bounds.contains(cursor) {
            cnc_cursor(Int32(cursor.y), Int32(cursor.x), false)
        } else {
            cnc_cursor(-1, 0, false)
        }
    }

    /// Draws a row glyph by glyph, each at its own column. ASCII is drawn in runs of one style, and
    /// the rest of the row is blanked.
    private func draw(_ row: ArraySlice<Cell>, y: Int) {
        if row.count < size.columns { cnc_erase_row(Int32(y)) }
        var run: [UInt8] = []
        var x = 0
        let cells = row.prefix(size.columns)
        var index = cells.startIndex
        while index < cells.endIndex {
            let cell = cells[index]
            let start = x
            run.removeAll(keepingCapacity: true)
            while index < cells.endIndex, cells[index].style == cell.style,
                let byte = cells[index].asciiByte
            {
                run.append(byte)
                index += 1
                x += 1
            }
            if run.isEmpty {
                put(cell, x: x, y: y)
                index += 1
                x += 1
            } else {
                let (pair, attributes) = look(of: cell.style)
                cnc_put_ascii(Int32(y), Int32(start), run, Int32(run.count), attributes, pair)
            }
        }
    }

    private func put(_ cell: Cell, x: Int, y: Int) {
        guard cell.columns > 0 else { return }
        let (pair, attributes) = look(of: cell.style)
        guard x + cell.columns <= size.columns else {
            return cnc_put_ascii(Int32(y), Int32(x), [0x20], 1, attributes, pair)
        }
        let points = cell.codePoints
        // A flag is drawn as two letters, which are two cells in ncurses.
        if cell.columns == 2, points.count == 2, points.allSatisfy({ $0 < 0x7f }) {
            let letters = points.map { UInt8($0) }
            return cnc_put_ascii(Int32(y), Int32(x), letters, 2, attributes, pair)
        }
        cnc_put_glyph(
            Int32(y), Int32(x), Int32(cell.columns), points, Int32(points.count), attributes, pair)
    }

    private func look(of style: Style) -> (pair: Int32, attributes: UInt32) {
        // The last look is kept, because a rule draws one glyph after the other in one style.
        if let lastLook, lastLook.style == style { return (lastLook.pair, lastLook.attributes) }
        let (number, attributes, new) = pairs.pair(for: style)
        if let new {
            cnc_define_pair(Int32(new.number), Int32(new.foreground), Int32(new.background))
        }
        lastLook = (style, Int32(number), attributes.native)
        return (Int32(number), attributes.native)
    }

    package func resize() {
        guard state == .open else { return }
        size = Self.fittedSize()
        last = nil
    }

    package func redraw() {
        guard state == .open else { return }
        cnc_redraw()
        last = nil
    }

    package func suspend() {
        guard state == .open else { return }
        cnc_suspend()
        state = .suspended
        last = nil
    }

    /// Reopens the terminal. If the process is in the background, the system stops it here
    /// (SIGTTOU) until it is in the foreground.
    package func resume() {
        guard state == .suspended else { return }
        cnc_resume()
        state = .open
        if wantsMouse { cnc_mouse(true) }
        size = Self.fittedSize()
    }

    package func setMouse(_ isOn: Bool) -> Bool {
        wantsMouse = state == .open && cnc_mouse(isOn)
        return wantsMouse
    }

    package func copy(_ text: String) -> Clipboard.Outcome {
        guard state == .open, cnc_has_clipboard() else { return .unsupported }
        guard let bytes = Clipboard.sequence(for: text) else { return .tooLong }
        cnc_send(bytes, bytes.count)
        return .sent
    }

    package func bell() {
        guard state == .open else { return }
        cnc_bell()
    }

    package func end() {
        suspend()
        state = .ended
    }

    /// Restores the terminal's modes from any thread, without waiting. Use it to end a process
    /// whose terminal no longer accepts output, where ``end()`` would block forever.
    package nonisolated static func abandon() { cnc_abandon() }
}

extension Attributes {
    fileprivate var native: UInt32 {
        let names: [(Attributes, Int)] = [
            (.bold, CNC_BOLD), (.dim, CNC_DIM), (.strikethrough, CNC_DIM), (.italic, CNC_ITALIC),
            (.underline, CNC_UNDERLINE), (.reverse, CNC_REVERSE),
        ]
        return names.reduce(0) { contains($1.0) ? $0 | UInt32($1.1) : $0 }
    }
}
