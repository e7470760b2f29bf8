extension Key {
    /// Creates the key with the name `name`, or returns `nil` if no key has that name.
    ///
    /// A name is a character (`j`, `?`), `^` and a character for control (`^R`, `^Space`), or one
    /// of `Enter Tab Space Esc Backspace Del Ins Up Down Left Right Home End PgUp PgDn F1`… (arrows
    /// also as `↑ ↓ ← →`), each after any of `Ctrl- Alt- Shift-`: `Alt-Down`, `Alt-b`, `Shift-Tab`.
    /// Case matters only in single letters.
    package init?(_ name: some StringProtocol) {
        var rest = Substring(name)
        var modifiers: Modifiers = []
        while let (prefix, modifier) = Self.prefixes.first(where: {
            rest.count > $0.0.count && rest.lowercased().hasPrefix($0.0)
        }) {
            rest = rest.dropFirst(prefix.count)
            modifiers.insert(modifier)
        }
        if rest.count > 1, rest.first == "^" {
            rest = rest.dropFirst()
            modifiers.insert(.control)
        }
        guard let code = Self.code(named: rest) else { return nil }
        self = Key(code, modifiers).asSent
    }

    /// The name of the key in help and footer: `j`, `^R`, `Alt-↓`, `PgDn`. ``init(_:)`` converts it
    /// back to the key, except for a paste, the mouse and an unknown key.
    package var label: String {
        var prefix = modifiers.contains(.alt) ? "Alt-" : ""
        var base: String
        switch code {
        case .character(let character):
            base = character == " " ? "Space" : DisplayText.sanitized(String(character))
            if modifiers.contains(.control) {
                prefix += "^"
                if character.isASCII, base.count == 1 { base = base.uppercased() }
            }
            if modifiers.contains(.shift) { prefix = "Shift-" + prefix }
            return prefix + base
        case .function(let number): base = "F\(number)"
        case .backTab: base = "Shift-Tab"
        case .paste, .oversizedPaste, .unterminatedPaste: base = "Paste"
        case .mouse: base = "Mouse"
        case .unknown: base = "Unknown"
        default: base = Self.names.first { $0.code == code }?.label ?? "Unknown"
        }
        if modifiers.contains(.shift) { prefix += "Shift-" }
        if modifiers.contains(.control) { prefix += "Ctrl-" }
        return prefix + base
    }

    /// The key in the form that a terminal sends: `^R` is the lower-case letter, and `Shift-Tab` is
    /// a separate key.
    private var asSent: Key {
        var key = self
        if case .character(let character) = code, modifiers.contains(.control) {
            key = Self.control(character, modifiers)
        }
        // This check comes last, because ^I is Tab.
        if key.code == .tab, key.modifiers.contains(.shift) {
            key.code = .backTab
            key.modifiers.remove(.shift)
        }
        return key
    }

    private static func control(_ character: Character, _ modifiers: Modifiers) -> Key {
        var key = Key(.character(character), modifiers)
        let alias: Code? =
            switch character.lowercased() {
            case "i": .tab
            case "m", "j": .enter
            case "h": .backspace
            case "[": .escape
            case "@": .character(" ")
            default: nil
            }
        if let alias {
            key.code = alias
            if alias != .character(" ") { key.modifiers.remove(.control) }
        } else if let small = character.lowercased().first, character.isASCII {
            key.code = .character(small)
        }
        return key
    }

    private static func code(named name: Substring) -> Code? {
        if name.count == 1, let only = name.first {
            return names.first { $0.label == name }?.code ?? .character(only)
        }
        let lowercased = name.lowercased()
        if lowercased == "space" { return .character(" ") }
        if let known = names.first(where: { $0.spellings.contains(lowercased) }) {
            return known.code
        }
        guard lowercased.first == "f", let number = Int(lowercased.dropFirst()), 1...63 ~= number
        else {
            return nil
        }
        return .function(number)
    }

    private static let prefixes: [(String, Modifiers)] = [
        ("ctrl-", .control), ("alt-", .alt), ("shift-", .shift),
    ]

    private static let names: [(code: Code, label: String, spellings: [String])] = [
        (.enter, "Enter", ["enter", "return"]), (.tab, "Tab", ["tab"]),
        (.escape, "Esc", ["esc", "escape"]), (.backspace, "Backspace", ["backspace"]),
        (.delete, "Del", ["del", "delete"]), (.insert, "Ins", ["ins", "insert"]),
        (.up, "↑", ["up"]), (.down, "↓", ["down"]), (.left, "←", ["left"]),
        (.right, "→", ["right"]), (.home, "Home", ["home"]), (.end, "End", ["end"]),
        (.pageUp, "PgUp", ["pgup", "pageup"]), (.pageDown, "PgDn", ["pgdn", "pagedown"]),
    ]
}

extension Key: ExpressibleByStringLiteral {
    /// Creates a key from its name in a literal, for tables in source: `let up: Key = "PgUp"`. An
    /// invalid name is a programming error and stops the program.
    package init(stringLiteral name: String) {
        guard let key = Key(name) else { preconditionFailure("no key is named \(name)") }
        self = key
    }
}

extension Key: CustomStringConvertible {
    package var description: String { label }
}
