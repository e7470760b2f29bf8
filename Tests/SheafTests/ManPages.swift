import ArgumentParser
import Foundation
import SheafTUI

@testable import sheaf

/// The manual: `sheaf(1)`, a page for each command, `sheaf-query(7)` and `sheaf-keys(7)`.
enum ManPages {
    static func all() throws -> [ManPage] {
        let commands = try shown(Sheaf.self).map { try page(of: $0, named: "sheaf-\($0.name)") }
        return try [main()] + commands + [query(), keys()]
    }

    private static func shown(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    }

    // MARK: Pages

    private static func main() throws -> ManPage {
        let help = Sheaf.configuration
        var page = ManPage("sheaf", section: 1, help.abstract)
        page.heading("Synopsis")
        page.synopsis(of: Sheaf.self)
        page.heading("Description")
        let examples = page.help(references(help.discussion))
        page.heading("Commands")
        for command in shown(Sheaf.self) {
            page.entry(["\(Roff.bold("sheaf-\(command.name)"))(1)"], command.configuration.abstract)
        }
        page.entry(
            [Roff.bold("sheaf help") + " " + Roff.italic("command")], "Print the help of a command."
        )
        page.heading("Options")
        try page.arguments(of: OpenCommand.self)
        page.entry([Roff.bold("--version")], "Print the version.")
        page.heading("Examples")
        page.example(examples)
        page.heading("Environment")
        for (name, meaning) in environment { page.entry([Roff.bold(name)], meaning) }
        page.heading("Files")
        for (path, meaning) in files { page.entry([Roff.italic(path)], meaning) }
        page.references(["sheaf-keys(7)", "sheaf-query(7)"])
        return page
    }

    private static func page(
        of command: any ParsableCommand.Type, named name: String
    ) throws -> ManPage {
        var page = ManPage(name, section: 1, command.configuration.abstract)
        page.heading("Synopsis")
        let parts = shown(command)
        if parts.isEmpty { page.synopsis(of: command) }
        for (index, part) in parts.enumerated() { page.synopsis(of: part, isFirst: index == 0) }
        page.heading("Description")
        page.paragraph(command.configuration.abstract, isFirst: true)
        var examples = page.help(references(command.configuration.discussion), isFirst: false)
        if parts.isEmpty {
            page.heading("Options")
            try page.arguments(of: command)
        } else {
            page.heading("Commands")
        }
        for part in parts {
            page.subheading("sheaf \(command.name) \(part.name)")
            page.paragraph(part.configuration.abstract, isFirst: true)
            examples += page.help(references(part.configuration.discussion), isFirst: false)
            try page.arguments(of: part)
        }
        if !examples.isEmpty {
            page.heading("Examples")
            page.example(examples)
        }
        page.references(["sheaf(1)", "sheaf-query(7)"])
        return page
    }

    private static func query() -> ManPage {
        var page = ManPage("sheaf-query", section: 7, "The queries of Sheaf.")
        page.heading("Description")
        page.paragraph(
            "Queries find items: on the screen after /, in saved views, and in commands such as PAGE:sheaf-list(1).",
            isFirst: true)
        _ = page.help(QueryArguments.help, isFirst: false)
        page.heading("Examples")
        let examples = ListCommand.configuration.discussion.components(
            separatedBy: "For example:\n")
        page.example(
            (examples.last ?? "").components(separatedBy: "\n").map { String($0.dropFirst(2)) })
        page.references(["sheaf(1)", "sheaf-list(1)", "sheaf-keys(7)"])
        return page
    }

    private static func keys() -> ManPage {
        var page = ManPage("sheaf-keys", section: 7, "The keys of Sheaf.")
        page.heading("Description")
        page.paragraph(
            "PAGE:sheaf(1) opens a list on the screen, and these are its keys there. On the screen, ? shows those that are valid at the moment, and : finds any command by name. ^A stands for Control and A, Alt-↓ for Alt and the arrow.",
            isFirst: true)
        for table in Keymap.standard.tables {
            page.heading(table.title)
            for row in table.rows {
                page.entry([row.keys.map(Roff.bold).joined(separator: ", ")], row.title)
            }
        }
        page.heading("Without a key")
        page.paragraph("These are in the palette, which : opens:", isFirst: true)
        for name in Keymap.standard.namesWithoutKeys { page.entry(["\\(bu"], name) }
        page.references(["sheaf(1)", "sheaf-query(7)"])
        return page
    }

    // MARK: Texts

    /// Returns help in which other pages stand for the help of other commands. The explanation of
    /// queries is a page of its own.
    fileprivate static func references(_ discussion: String) -> String {
        discussion
            .replacing(
                QueryArguments.help, with: "PAGE:sheaf-query(7) explains queries."
            )
            .replacing("'sheaf help list'", with: "PAGE:sheaf-query(7)")
            .replacing(/'sheaf help ([a-z]+)'/) { "PAGE:sheaf-\($0.1)(1)" }
    }

    private static let environment = [
        ("XDG_DATA_HOME", "The folder above the one of your list, by default ~/.local/share."),
        (
            "XDG_STATE_HOME",
            "The folder above the one of backups, of the views that screens come back to, and of the logs of lists on a server, by default ~/.local/state."
        ),
        ("VISUAL, EDITOR", "The editor of notes."),
        ("NO_COLOR", "If it is set, nothing is colored."),
        ("TERM, COLORTERM", "The terminal."),
        (
            "ESCDELAY",
            "The time in milliseconds that Esc waits for the rest of a key, by default 25."
        ),
    ]

    private static let files = [
        ("~/.local/share/sheaf/sheaf.sqlite", "Your list."),
        (".NAME.intents-*", "Beside a list: the edits of an open screen that are not saved yet."),
        ("~/.local/state/sheaf/backups", "The backups of lists in files, one for each day."),
    ]
}

extension ParsableCommand {
    fileprivate static var name: String { configuration.commandName ?? "" }
}

extension ManPage {
    fileprivate mutating func synopsis(of command: any ParsableCommand.Type, isFirst: Bool = true) {
        let lines = Sheaf.usageString(for: command).replacing("Usage: ", with: "")
            .components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for (index, line) in lines.enumerated() {
            paragraph(verbatim: Roff.usage(line), isFirst: isFirst && index == 0)
        }
    }

    /// Adds the words and the options of a command.
    fileprivate mutating func arguments(of command: any ParsableCommand.Type) throws {
        let help = try CommandHelp(of: command)
        for word in help.words { entry([Roff.italic(word.valueName ?? "")], word.manual) }
        for option in help.options {
            let value = option.kind == .option ? " \(Roff.italic(option.valueName ?? ""))" : ""
            let names = (option.names ?? []).map { Roff.bold($0.spelling) }.joined(separator: ", ")
            entry([names + value], option.manual)
        }
    }

    fileprivate mutating func references(_ pages: [String]) {
        heading("See also")
        let others = pages.filter { $0 != "\(name)(\(section))" }
        let terms = others.map { page in
            let parts = page.split(separator: "(")
            return "\(Roff.bold(String(parts[0])))(\(parts[1])"
        }
        paragraph(verbatim: terms.joined(separator: ", "), isFirst: true)
    }
}

extension CommandHelp.Argument {
    /// The description in the manual, with the values unless it names them.
    fileprivate var manual: String {
        let text = ManPages.references(abstract ?? "")
        let values = allValues ?? []
        return values.allSatisfy(text.contains)
            ? text : "\(text) It is one of \(values.joined(separator: ", "))."
    }
}
