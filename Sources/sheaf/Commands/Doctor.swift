import ArgumentParser
import FoundationEssentials
import Glibc
import SheafApp
import SheafStorage
import SheafTUI
import SwiduxFiles
import Terminal

/// `sheaf doctor`: reports the state of a list, and possible repairs.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the list, its logs and its backups, and say what to do.",
        discussion: """
            The list is never written to. Exit status: 0 usable, 65 damaged, or not a list of this version, 66 no such \
            list, 75 locked by another process.

            For example:
              sheaf doctor --store reading.sqlite
              sheaf doctor --store damaged.sqlite --recover saved.sqlite
            """)

    @OptionGroup var store: StoreOptions

    @Option(help: ArgumentHelp("Copy all that can be read into a new list.", valueName: "newfile"))
    var recover: String?

    func run() throws {
        if let recover { return try recoverList(to: recover) }
        let environment = ProcessInfo.processInfo.environment
        let (diagnosis, view) = try diagnosis()
        let output = FileOutput()
        let findings = [view, Self.terminal(environment)].compactMap(\.self)
        for finding in diagnosis.findings + abandonedNotes() + findings {
            let advice = finding.advice.map { "\n         \(shown($0))" } ?? ""
            let details = finding.details.map { "\n           \(shown($0))" }.joined()
            try output.write(
                "\(finding.severity.label)\(shown(finding.text))\(details)\(advice)\n")
        }
        if let refusal = diagnosis.refusal {
            throw ExitCode(ExitStatus(refusal).rawValue)
        }
        if diagnosis.severity == .damage { throw ExitCode(ExitStatus.badInput.rawValue) }
    }

    /// Examines the list and its remembered view.
    private func diagnosis() throws -> (Diagnosis, view: Diagnosis.Finding?) {
        let location: any Location
        do {
            location = try store.location()
        } catch let error as StorageError {
            // The only possible error is a circle of links, through which no process can open a
            // list.
            var diagnosis = Diagnosis()
            diagnosis.add(error)
            return (diagnosis, nil)
        }
        let diagnosis = try runBlocking { await location.examine() }
        return (diagnosis, ViewFile(for: location)?.finding())
    }

    /// Returns findings about the files of notes that this user was editing when the screen ended.
    private func abandonedNotes() -> [Diagnosis.Finding] {
        FolderContents.names(in: NoteFile.folder).sorted().compactMap { name in
            let path = "\(NoteFile.folder)/\(name)"
            var status = stat()
            guard let process = NoteFile.process(of: name), process > 0,
                lstat(path, &status) == 0, status.st_uid == geteuid(),
                kill(process, 0) != 0, errno == ESRCH
            else { return nil }
            return Diagnosis.Finding(
                severity: .note, text: "note left by a screen that has ended: \(path)",
                advice: "It was being edited. Copy what you need into the item's note, then remove"
                    + " the file.")
        }
    }

    /// Examines the terminal and the locale.
    private static func terminal(_ environment: [String: String]) -> Diagnosis.Finding {
        let term = environment["TERM"] ?? ""
        if term.isEmpty || !NcursesScreen.isKnown(type: term) {
            return Diagnosis.Finding(
                severity: .warning,
                text: term.isEmpty ? "terminal: TERM is not set" : "terminal: \(term) is not known",
                advice: "Set TERM to the type of your terminal, such as xterm-256color.")
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

    private func recoverList(to path: String) throws {
        let location = try store.file { list in
            "only a list in a file is recovered; to copy this one: sheaf copy"
                + " \(ShellText.quoted(list.name)) NEWFILE"
        }
        let target = try StoreURL(
            path, home: StoreURL.home(in: ProcessInfo.processInfo.environment))
        let recovery = try making(target.path) {
            try runBlocking { try await Recovery.run(location, to: target) }
        }
        let repaired = recovery.repaired > 0 ? " (\(recovery.repaired) with a new id or place)" : ""
        let (items, tags) = (counted(recovery.items, "item"), counted(recovery.tags, "tag"))
        let saved =
            recovery.views == 0
            ? "\(items) and \(tags)"
            : "\(items), \(tags) and \(counted(recovery.views, "view"))"
        FileOutput.report("Recovered \(saved)\(repaired) to \(shown(target.path)).\n")
        if recovery.merged > 0 {
            Diagnostics.report(
                "several versions of \(counted(recovery.merged, "item")) were merged: replaced texts are"
                    + " in the notes")
        }
        guard !recovery.lost.isEmpty else { return }
        Diagnostics.report(
            "left out, as far as known (\(recovery.lost.count)):",
            details: recovery.lost.map(shown))
    }
}

extension Diagnosis.Severity {
    /// The word before a line, in a separate column.
    fileprivate var label: String {
        switch self {
        case .fine: "ok       "
        case .note: "note     "
        case .warning: "warning  "
        case .damage: "problem  "
        }
    }
}
