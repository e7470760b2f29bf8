/// Words of a command line that a user is told to type.
public enum ShellText {
    /// `word` as a shell takes it literally: as it is if it holds letters, digits and `/ . _ - + ,
    /// : @ %` only, else in single quotes.
    public static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || "0123456789/._-+,:@%".unicodeScalars.contains(scalar)
        }
        guard !isPlain || word.isEmpty else { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
