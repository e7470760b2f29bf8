import ArgumentParser
import FoundationEssentials
import Glibc
import SheafApp
import SheafFormats
import SheafStorage
import SheafTUI
import Terminal

/// `sheaf`: shows the list on the screen.
struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open the list on the screen.",
        usage: "sheaf [open] \(options)",
        discussion: """
            A missing list is created. Press ? for the keys, q to quit. To try the screen without a file, use \
            --store memory:, an empty list that is gone when you quit.

            For example:
              sheaf
              sheaf --store reading.sqlite --slow-writes 500ms --fail-writes 0.3
            """)

    static let options = "[--store <url>] [--read-only] [--no-mouse]"

    @OptionGroup var store: StoreOptions

    @Flag(help: "Show the list and change nothing.")
    var readOnly = false

    @Flag(help: "Leave the mouse to the terminal.")
    var noMouse = false

    @Option(
        help: ArgumentHelp("Write one line of JSON per action to this file.", valueName: "file")
    )
    var log: String?

    @OptionGroup var faults: WriteFaults

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        // This check comes first, so that no file is created if the screen cannot open.
        try NcursesScreen.check(environment: environment)
        try SystemLimits.checkThreads()
        let mode = readOnly ? OpenMode.readOnly : .readWriteBegin
        let list = try store.openForScreen(mode)
        let storage = faults.applied(to: list.storage)
        let log = try log.map(ActionLog.init(path:))
        let view = ViewFile(for: list.location)
        try MainActor.assumeIsolated {
            // A notice about the list or its server takes precedence over one about the view.
            let notice = list.notice ?? (list.obstacle == nil ? view?.unreadableNotice() : nil)
            let info = ListInfo(
                name: storage.displayName, readOnlyReason: storage.readOnlyReason,
                loading: Loading(obstacle: list.obstacle), notice: notice)
            var state = AppState(list: info, view: view?.read())
            state.ui.mouse.isOn = !noMouse
            try Self.show(state, storage, at: list.location, view, log, environment: environment)
        }
    }

    /// Takes over the terminal, and returns only by throwing if this fails.
    @MainActor
    private static func show(
        _ state: AppState, _ storage: any ListStorage, at location: any Location, _ view: ViewFile?,
        _ log: ActionLog?, environment: [String: String]
    ) throws {
        let control = ScreenControl()
        var world = AppEnvironment.live(storage: storage, terminal: control)
        world.formatItems = { $0.checklist(tags: $1) }
        world.parsePastedText = PastedText.items
        if let view {
            world.rememberView = { view.write($0) }
            world.rememberViewSoon = { view.writeSoon($0) }
        }
        let store = AppStore(
            initialState: state, environment: world,
            log: IntentLogFile(for: location),
            middleware: log.map { [$0.middleware] } ?? [])
        let screen = try NcursesScreen(environment: environment)
        let loop = MainLoop()
        let input = TerminalInput(
            escapeDelay: TerminalInput.escapeDelay(in: environment), watch: loop)
        let backups = BackgroundBackups(of: store, at: location)
        withExtendedLifetime(backups) {
            TerminalApp(store: store, screen: screen, input: input, control: control)
                .run(on: loop)
        }
    }
}

/// `sheaf keys`: prints the keymap in the form of the guide.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Print the keys as Markdown tables.",
        shouldDisplay: false)

    func run() throws {
        try FileOutput().write(Keymap.standard.markdown + "\n")
    }
}
