import ArgumentParser
import SheafCore

/// `sheaf tag recolour`: another colour for a tag.
struct TagRecolourCommand: ParsableCommand {
    private static let colors = TagColor.allCases.map(\.rawValue).joined(separator: ", ")

    static let configuration = CommandConfiguration(
        commandName: "recolour",
        _superCommandName: "sheaf tag",
        abstract: "Change the colour of a tag.",
        discussion: """
            The colours are \(colors).

            For example:
              sheaf tag recolour book green
            """,
        aliases: ["recolor"])

    @OptionGroup var store: StoreOptions

    @Argument(help: "The name of the tag, or the first digits of its id.")
    var tag: String

    @Argument(help: "The colour.")
    var colour: String

    func run() throws {
        guard let color = TagColor(rawValue: colour.lowercased()) else {
            throw CommandFailure(
                .usage, "\(cited(colour)): no such colour; use \(Self.colors)")
        }
        try ListEdit.perform(on: store) { [tag] edit in
            let tag = try await edit.tags().tag(tag)
            var plan = ListEdit.Plan(report: "Made \(quoted(tag.name)) \(color.rawValue).")
            if tag.color != color {
                var recoloured = tag
                recoloured.color = color
                plan.changes.tags.replace(tag, with: recoloured)
            }
            return plan
        }
    }
}
