import SheafList
import Terminal

/// The styles of the screen and of printed tables. Text has the terminal's own foreground. On
/// terminals without colors, bold and dim convey the same distinctions.
package enum Theme {
    package static let text = Style.standard
    package static let dim = Style(attributes: .dim)
    static let strong = Style(attributes: .bold)
    static let accent = Style(foreground: .cyan)
    package static let title = Style(foreground: .cyan, attributes: .bold)
    /// The style of the mode, in the terminal's own two colors. With another background, terminals
    /// that draw bold in bright colors would show white on nearly white in a light theme.
    static let mode = Style(attributes: [.bold, .reverse])
    /// The style of the selected row in the focused pane. Both colors are explicit, and neither is
    /// one that themes replace, so that the row is readable on dark and light backgrounds.
    static let selected = Style(foreground: .palette(231), background: .tint)

    /// Returns the form of `style` on the selected row: a color is replaced by its light form.
    static func selected(_ style: Style) -> Style {
        guard let foreground = style.foreground.onTint else { return selected }
        return Style(foreground: foreground, background: .tint, attributes: style.attributes)
    }

    package static let good = Style(foreground: .green)
    static let waiting = Style(foreground: .yellow)
    static let busy = Style(foreground: .cyan)
    package static let alert = Style(foreground: .red, attributes: .bold)
    static let draft = Style(attributes: .underline)
    /// Returns the styles of the words of a typed text that represent a tag or a field, with their
    /// positions.
    static func marks(of typed: TypedItem?) -> [(place: Range<Int>, style: Style)] {
        (typed?.words ?? []).map { ($0.place, draftTag($0.label)) }
    }

    /// Returns the style of a tag or a field in typed text. It is bold, for terminals without
    /// colors. A new tag has no color yet.
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

    /// Returns the style of a due day, with emphasis if the day is late or today.
    package static func due(_ day: CalendarDay, today: CalendarDay) -> Style {
        day < today ? alert : day == today ? waiting : dim
    }

    /// Returns the style of a priority's letter. A has the strongest emphasis.
    package static func priority(_ priority: Priority) -> Style {
        switch priority {
        case .a: Style(foreground: .yellow, attributes: .bold)
        case .b: waiting
        case .c: accent
        default: dim
        }
    }

    /// The style of today in a calendar. It is underlined, for terminals without colors.
    static let today = Style(foreground: .yellow, attributes: .underline)

    /// The style of an error in a typed line.
    static let fault = Style(foreground: .red, attributes: [.bold, .underline])

    /// Returns the style of letters that a query matched, in a text with the style `style`. The
    /// letters have no color, since many terminals draw bold colors as bright ones, which are
    /// unreadable on a light background.
    static func found(_ style: Style) -> Style {
        var found = style
        if style.background == .standard { found.foreground = .standard }
        found.attributes = style.attributes.union([.bold, .underline]).subtracting(.dim)
        return found
    }

    /// Returns the style of the rule above a pane, with emphasis if the pane has the focus.
    static func frame(focused: Bool) -> Style { focused ? accent : dim }

    static func frameTitle(focused: Bool) -> Style { focused ? title : text }

    package static func tag(_ color: TagColor) -> Style { Style(foreground: Self.color(color)) }

    /// Returns the terminal's color for a tag color. White maps to the terminal's own foreground,
    /// since white letters are invisible on a light background.
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
