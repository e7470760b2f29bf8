import Glibc
import SheafStorage
import Terminal

/// What `sheaf doctor` says of the terminal and the locale.
enum TerminalExamination {
    static func finding(_ environment: [String: String]) -> Diagnosis.Finding {
        let term = environment["TERM"] ?? ""
        if term.isEmpty || !isKnown(term, environment) {
            return Diagnosis.Finding(
                severity: .warning,
                text: term.isEmpty ? "terminal: TERM is not set" : "terminal: \(term) is not known",
                advice: "Set TERM to what your terminal is, such as xterm-256color.")
        }
        let locale =
            ["LC_ALL", "LC_CTYPE", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let isUTF8 = ["utf-8", "utf8"].contains { locale.lowercased().hasSuffix($0) }
        guard isUTF8 else {
            let shown = locale.isEmpty ? "no locale" : locale
            return Diagnosis.Finding(
                severity: .warning, text: "terminal: \(term), \(shown), which is not UTF-8",
                advice: "Set LANG to a locale that ends in .UTF-8, such as C.UTF-8.")
        }
        return Diagnosis.Finding(severity: .fine, text: "terminal: \(term), \(locale)")
    }

    /// Whether the system has a description of the terminal `name`.
    private static func isKnown(_ name: String, _ environment: [String: String]) -> Bool {
        guard let first = name.unicodeScalars.first, !name.contains("/") else { return false }
        var folders = [
            "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo",
        ]
        if let home = environment["HOME"] { folders.insert(home + "/.terminfo", at: 0) }
        if let own = environment["TERMINFO"], !own.isEmpty { folders.insert(own, at: 0) }
        folders += (environment["TERMINFO_DIRS"] ?? "").split(separator: ":").map(String.init)
        let hexadecimal = String(first.value, radix: 16)
        return folders.contains { folder in
            [String(first), hexadecimal].contains { access("\(folder)/\($0)/\(name)", R_OK) == 0 }
        }
    }
}
