import ArgumentParser
import FoundationEssentials

/// The description of a command and its arguments that swift-argument-parser derives from their
/// declarations. The man pages and completion use it.
struct CommandHelp: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let arguments: [Argument]?

    /// A flag, an option with a value, or a word.
    struct Argument: Decodable {
        let kind: Kind
        let shouldDisplay: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let allValues: [String]?
        let abstract: String?

        enum Kind: String, Decodable {
            case positional, option, flag
        }

        struct Name: Decodable {
            let kind: String
            let name: String

            /// The name with its hyphens.
            var spelling: String { kind == "long" ? "--\(name)" : "-\(name)" }
        }
    }

    /// - Throws: `DecodingError` if another version of swift-argument-parser uses another format
    ///   for descriptions.
    init(of command: any ParsableCommand.Type) throws {
        struct Tool: Decodable { let command: CommandHelp }
        let text = Data(command._dumpHelp().utf8)
        self = try JSONDecoder().decode(Tool.self, from: text).command
    }

    /// The visible options, in the order of their declarations.
    var options: [Argument] {
        (arguments ?? []).filter { $0.kind != .positional && $0.shouldDisplay }
    }

    /// The visible words, in order.
    var words: [Argument] {
        (arguments ?? []).filter { $0.kind == .positional && $0.shouldDisplay }
    }
}
