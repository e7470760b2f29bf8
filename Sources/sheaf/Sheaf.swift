import ArgumentParser

@main
struct Sheaf: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheaf", abstract: "Keep a list in the terminal.")
}
