import ArgumentParser
import SheafList

/// The place to which a command moves items or views: directly before or after another one.
struct PlaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Move before this one.", valueName: "other"))
    var before: String?

    @Option(help: ArgumentHelp("Move after this one.", valueName: "other"))
    var after: String?

    /// The entity before or after which to move.
    var other: String { before ?? after ?? "" }

    var side: Side { before == nil ? .after : .before }

    func validate() throws {
        guard (before == nil) != (after == nil) else {
            throw ValidationError(
                before == nil
                    ? "Give --before or --after." : "Give either --before or --after, not both.")
        }
    }
}
