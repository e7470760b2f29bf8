import SheafList
import Terminal

/// The looks of things, on the screen and in tables. Text has the terminal's own foreground; where
/// there are no colours, bold and dim still tell the same.
public enum Theme {
    public static let text = Style.standard
    public static let dim = Style(attributes: .dim)
    static let strong = Style(attributes: .bold)
    static let accent = Style(foreground: .cyan)
    public static let title = Style(foreground: .cyan, attributes: .bold)
    /// In the terminal's own two colours: with another background, terminals that draw bold in
    /// bright colours have white on nearly white in a light theme.
    static let mode = Style(attributes: [.bold, .reverse])
    /// The row that keys are about. Both colours are named, and neither is one that themes replace,
    /// so that it can be read on a dark and on a light background.
    static let selected = Style(foreground: .palette(231), background: .tint)

    /// Returns `style` as it is drawn on that row: a color is replaced by its light form.
    static func selected(_ style: Style) -> Style {
        guard let foreground = style.foreground.onTint else { return selected }
        return Style(foreground: foreground, background: .tint, attributes: style.attributes)
    }

    public static let good = Style(foreground: .green)
    static let waiting = Style(foreground: .yellow)
    static let busy = Style(foreground: .cyan)
    public static let alert = Style(foreground: .red, attributes: .bold)
    static let draft = Style(attributes: .underline)
    /// The looks of the words of a typed text that stand for a tag or a field, by their places.
    static func marks(of typed: TypedItem?) -> [(place: Range<Int>, style: Style)] {
        (typed?.words ?? []).map { ($0.place, draftTag($0.label)) }
    }

    /// The style of a tag or a field in typed text, bold on terminals without colors. A new tag has
    /// no color yet.
    private static func draftTag(_ label: TypedItem.Label) -> Style {
        var style = draft
        style.attributes.insert(.bold)
        switch label {
        case .tag(let tag): style.foreground = color(tag.color)
        case .setting: style.foreground = .cyan
        case .new: break
        }
        return style
    }

    /// The style of a due day. Days that are late or today stand out.
    public static func due(_ day: CalendarDay, today: CalendarDay) -> Style {
        day < today ? alert : day == today ? waiting : dim
    }

    /// The letter of a priority: A stands out most.
    public static func priority(_ priority: Priority) -> Style {
        switch priority {
        case .a: Style(foreground: .yellow, attributes: .bold)
        case .b: waiting
        case .c: accent
        default: dim
        }
    }

    /// Today in a calendar, underlined for terminals without colors.
    static let today = Style(foreground: .yellow, attributes: .underline)

    /// The style of a fault in a line.
    static let fault = Style(foreground: .red, attributes: [.bold, .underline])

    /// Letters that a query found, in a text of that style. Without a colour: a bold one is bright
    /// in many terminals, and cannot be read on a light background.
    static func found(_ style: Style) -> Style {
        var found = style
        if style.background == .standard { found.foreground = .standard }
        found.attributes = style.attributes.union([.bold, .underline]).subtracting(.dim)
        return found
    }

    /// The rule above a pane: the one with the focus stands out.
    static func frame(focused: Bool) -> Style { focused ? accent : dim }

    static func frameTitle(focused: Bool) -> Style { focused ? title : text }

    public static func tag(_ color: TagColor) -> Style { Style(foreground: Self.color(color)) }

    /// White is the terminal's own: on a light background letters in white would not be seen.
    static func color(_ color: TagColor) -> Color {
        switch color {
        case .blue: .blue
        case .green: .green
        case .yellow: .yellow
        case .magenta: .magenta
        case .cyan: .cyan
        case .red: .red
        case .white: .standard
        }
    }
}
