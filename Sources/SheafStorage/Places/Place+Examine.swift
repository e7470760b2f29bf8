import SheafList

extension Place {
    /// Examines the list and all that belongs to it, without writing to it, and says what to do.
    public func examine() async -> Diagnosis {
        switch self {
        case .file(let file): return Doctor.examine(file)
        case .server(let server):
            var diagnosis = await server.examine()
            diagnosis.addUnsaved(of: server.home)
            diagnosis.add(
                .note, "backups: none are made of a list on a server",
                advice: "sheaf export --store \(ShellText.quoted(server.home.name)) --output FILE"
                    + " makes one.")
            return diagnosis
        case .memory: return Diagnosis()
        }
    }
}
