import SheafList

extension Diagnosis {
    /// Adds this machine's unsaved changes of the server list at `location`, and advice on backups.
    package mutating func addRest(ofServerList location: any Location) {
        addUnsaved(of: location)
        add(
            .note, "backups: none are made of a list on a server",
            advice: "sheaf export --store \(ShellText.quoted(location.name)) --output FILE"
                + " makes one.")
    }

    /// Adds the changes that earlier sessions painted but did not save in the list at `location`.
    /// The advice depends on ``refusal``.
    mutating func addUnsaved(of location: any Location) {
        addLogs(of: location)
        addRescueFiles(of: location)
    }

    private mutating func addLogs(of location: any Location) {
        for log in ExaminedLog.all(for: location) {
            switch log.content {
            case .changes([], _):
                add(.fine, "intent log: \(log.path), empty")
            case .changes(let batches, let refusals):
                let count = AbandonedChanges.count(batches)
                add(
                    .warning,
                    "not saved: \(count) change\(count == 1 ? "" : "s") of an interrupted session"
                        + (log.address.map { " at \($0)" } ?? "") + " in \(log.path)"
                        + (reason(of: log).map { ": \($0)" } ?? ""),
                    advice: log.objection?.advice ?? advice(on: log, refusals),
                    details: batches.flatMap(\.lines) + refusals.map { "refused: \($0)" })
            case .inUse(let holder):
                add(.fine, "intent log: \(log.path), in use by \(holder)")
            case .unreadable(let error, let texts):
                add(
                    .warning, "intent log: \(log.path): \(error.reason)",
                    advice: error.code == .older
                        ? EarlierTexts.advice
                        : error.advice ?? "Keep it: it may hold unsaved changes.",
                    details: texts)
            }
        }
    }

    /// Returns the reason why the log does not, or may not, belong to the examined list, or nil.
    private func reason(of log: ExaminedLog) -> String? {
        if let objection = log.objection { return objection.reason }
        guard refusal == .notFound, let owner = log.owner else { return nil }
        return "of the list \(owner.id.uuidString.lowercased()), as \(owner.role)"
    }

    private func advice(on log: ExaminedLog, _ refusals: [String]) -> String {
        let restore = "sheaf restore \(ShellText.quoted(log.path))"
        if refusal == .notFound, let owner = log.owner {
            return "If the list has moved, name it there, as \(owner.role):"
                + " \(restore) --store URL. Into a list in a file: \(restore) --store FILE --force"
        }
        if refusal == .notFound {
            return "If the list has moved: \(restore) --store FILE"
        }
        return refusals.isEmpty
            ? "The next command that can write to the list saves them; keep the file until then."
            : "The list refused them. Once the cause is fixed: \(restore)"
    }

    private mutating func addRescueFiles(of location: any Location) {
        for path in location.rescueFiles() {
            add(
                .warning, "not saved: \(path), a rescue file of an earlier version",
                advice: EarlierTexts.advice, details: EarlierTexts.lines(ofRescueFile: path))
        }
    }
}
