/// Quoting of words in command lines that messages tell the user to type.
package enum ShellText {
    /// Returns `word` in a form that a shell takes literally: unchanged if it has only letters,
    /// digits and `/ . _ - + , : @ %`, else in single quotes.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || "0123456789/._-+,:@%".unicodeScalars.contains(scalar)
        }
        guard !isPlain || word.isEmpty else { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
