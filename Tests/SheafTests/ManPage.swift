import ArgumentParser
import Foundation
import SheafTUI

@testable import sheaf

/// A page of the manual in the macros of man(7).
struct ManPage {
    let name: String
    let section: Int
    private(set) var text: String

    /// The name of its file.
    var file: String { "\(name).\(section)" }

    init(_ name: String, section: Int, _ abstract: String) {
        self.name = name
        self.section = section
        text = """
            .\\" Made by `make man`: edit the help of the commands and the keymap instead.
            .TH \(name.uppercased()) \(section) \(Version.day) "Sheaf \(Version.number)" "Sheaf"
            .SH NAME

            """
        let words =
            [Roff.plain(name), "\\-"]
            + abstract.asPhrase.split(separator: " ").map {
                Roff.plain(String($0))
            }
        text += Roff.lines(of: words)
    }

    mutating func heading(_ title: String) {
        text += ".SH \(title.uppercased())\n"
    }

    mutating func subheading(_ title: String) {
        text += ".SS \(Roff.plain(title))\n"
    }

    /// Adds a paragraph, unless `first`, which follows a heading.
    mutating func paragraph(_ words: String, isFirst: Bool = false) {
        text += (isFirst ? "" : ".PP\n") + Roff.filled(words)
    }

    /// Adds a paragraph of roff's text, which is divided at spaces.
    mutating func paragraph(verbatim roff: String, isFirst: Bool = false) {
        text +=
            (isFirst ? "" : ".PP\n") + Roff.lines(of: roff.split(separator: " ").map(String.init))
    }

    /// Adds terms, each of them a list of words or forms, with their descriptions.
    mutating func entry(_ terms: [String], _ description: String) {
        for (index, term) in terms.enumerated() {
            text += "\(index == 0 ? ".TP" : ".TQ")\n\(term)\n"
        }
        text += Roff.filled(description)
    }

    /// Adds examples for the shell, each once; a long line is continued on the next one.
    mutating func example(_ lines: [String]) {
        var seen: Set<String> = []
        text += ".EX\n"
        for example in ManPage.examples(in: lines) where seen.insert(example).inserted {
            for line in example.components(separatedBy: "\n") {
                let space = line.count > 72 ? line.lastIndex(of: " ") : nil
                if let space {
                    text += Roff.plain("\(line[..<space]) \\") + "\n"
                    text += Roff.plain("   \(line[space...])") + "\n"
                } else {
                    text += "\(Roff.plain(line))\n"
                }
            }
        }
        text += ".EE\n"
    }

    /// Joins each line with the indented lines that continue it.
    private static func examples(in lines: [String]) -> [String] {
        lines.reduce(into: []) { examples, line in
            if line.hasPrefix(" "), let last = examples.indices.last {
                examples[last] += "\n" + line
            } else {
                examples.append(line)
            }
        }
    }

    /// Adds the paragraphs of a command's help, and returns the lines of its examples.
    mutating func help(_ discussion: String, isFirst: Bool = true) -> [String] {
        var isFirst = isFirst
        var examples: [String] = []
        for block in discussion.components(separatedBy: "\n\n") {
            var lines = block.components(separatedBy: "\n")
            if lines[0] == "For example:" {
                examples += lines.dropFirst().map { String($0.dropFirst(2)) }
                continue
            }
            if lines[0].hasPrefix("Exit status: "), !lines[0].contains("  ") {
                exitStatus(lines.joined(separator: " "), &isFirst)
                continue
            }
            let prose = lines.prefix { !$0.hasPrefix("  ") }
            lines.removeFirst(prose.count)
            if !prose.isEmpty {
                paragraph(prose.joined(separator: " "), isFirst: isFirst)
                isFirst = false
            }
            table(lines)
        }
        return examples
    }

    /// Adds `  term   description` lines; a description may go on below itself.
    private mutating func table(_ lines: [String]) {
        var terms: [String] = []
        var description = ""
        for line in lines.map({ String($0.dropFirst(2)) }) {
            if !line.hasPrefix(" "), !description.isEmpty {
                entry(terms.map(Roff.bold), description)
                (terms, description) = ([], "")
            }
            if line.hasPrefix(" ") {
                description += " " + line.trimmingCharacters(in: .whitespaces)
            } else if let gap = line.range(of: "  ") {
                terms.append(String(line[..<gap.lowerBound]))
                description = line[gap.lowerBound...].trimmingCharacters(in: .whitespaces)
            } else {
                terms.append(line)
            }
        }
        if !terms.isEmpty { entry(terms.map(Roff.bold), description) }
    }

    /// Adds `Exit status: 0 done, 1 failed, …` as a table.
    private mutating func exitStatus(_ sentence: String, _ isFirst: inout Bool) {
        paragraph("Exit status:", isFirst: isFirst)
        isFirst = false
        let entries = sentence.dropFirst("Exit status: ".count).dropLast()
            .replacing(/, (?=\d)/, with: "\n").components(separatedBy: "\n")
        for words in entries {
            let parts = words.split(separator: " ", maxSplits: 1)
            entry([Roff.bold(String(parts[0]))], String(parts[1]))
        }
    }
}

/// The text of roff.
enum Roff {
    /// `text` in the current font, as it is.
    static func plain(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\"": result += "\\(dq"
            default:
                if scalar.isASCII {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\[u\(String(format: "%04X", scalar.value))]"
                }
            }
        }
        // A line that begins so would be a request.
        return result.hasPrefix(".") ? "\\&\(result)" : result
    }

    static func bold(_ text: String) -> String { "\\fB\(plain(text))\\fR" }

    static func italic(_ text: String) -> String { "\\fI\(plain(text))\\fR" }

    /// Prose in lines of less than 80 bytes; each sentence begins a line.
    static func filled(_ text: String) -> String {
        lines(of: text.split(whereSeparator: \.isWhitespace).map { marked(String($0)) })
    }

    /// Words in lines of less than 80 bytes, if they are shorter; each sentence begins a line.
    static func lines(of words: [String]) -> String {
        var lines: [String] = []
        var line = ""
        for word in words {
            if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > 78 {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? word : " \(word)"
            if [".", ".)"].contains(where: word.hasSuffix) {
                lines.append(line)
                line = ""
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { "\($0)\n" }.joined()
    }

    /// A word of prose: options are bold, and the help of a command is its page.
    private static func marked(_ word: String) -> String {
        if let match = word.wholeMatch(of: /([(']*)(--?[a-z][a-z-]*)(.*)/) {
            return plain(String(match.1)) + bold(String(match.2)) + plain(String(match.3))
        }
        if let match = word.wholeMatch(of: /(\(?)PAGE:([a-z-]+)\((\d)\)(.*)/) {
            return plain(String(match.1)) + bold(String(match.2)) + "(\(match.3))"
                + plain(String(match.4))
        }
        return plain(word)
    }

    /// A line of a command's usage: names are bold, and values italic.
    static func usage(_ line: String) -> String {
        var result = ""
        var part = ""
        var isValue = false
        func end() {
            if !part.isEmpty { result += isValue ? italic(part) : bold(part) }
            part = ""
        }
        for character in line.replacing("...", with: "…") {
            switch character {
            case "<", ">":
                end()
                isValue = character == "<"
            case " ", "[", "]", "(", ")", "|":
                end()
                result.append(character)
            case "…":
                end()
                result += "\\&...\\&"
            default: part.append(character)
            }
        }
        end()
        return result
    }
}

extension String {
    /// A sentence such as "Print the items." as a phrase: "print the items".
    var asPhrase: String {
        let text = hasSuffix(".") ? String(dropLast()) : self
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
