import ArgumentParser
import SheafTUI

/// `sheaf keys`: the keymap as the guide shows it.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        _superCommandName: "sheaf",
        abstract: "Print the keys as Markdown tables.",
        shouldDisplay: false)

    func run() throws {
        try FileOutput().write(Keymap.standard.markdown + "\n")
    }
}
