import ArgumentParser
import SheafList

/// `sheaf tag recolor`: another color for a tag.
struct TagRecolorCommand: ParsableCommand {
    private static let colors = TagColor.allCases.map(\.rawValue).joined(separator: ", ")

    static let configuration = CommandConfiguration(
        commandName: "recolor",
        _superCommandName: "sheaf tag",
        abstract: "Change the color of a tag.",
        discussion: """
            The colors are \(colors).

            For example:
              sheaf tag recolor book green
            """,
        aliases: ["recolour"])

    @OptionGroup var store: StoreOptions

    @Argument(help: "The name of the tag, or the first digits of its id.")
    var tag: String

    @Argument(help: "The color.")
    var color: String

    func run() throws {
        guard let chosen = TagColor(rawValue: color.lowercased()) else {
            throw CommandFailure(
                .usage, "\(cited(color)): no such color; use \(Self.colors)")
        }
        try ListEdit.perform(on: store) { [tag] edit in
            let tag = try await edit.tags().tag(tag)
            var plan = ListEdit.Plan(report: "Made \(quoted(tag.name)) \(chosen.rawValue).")
            if tag.color != chosen {
                var recolored = tag
                recolored.color = chosen
                plan.changes.tags.replace(tag, with: recolored)
            }
            return plan
        }
    }
}
