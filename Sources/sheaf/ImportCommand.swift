import ArgumentParser
import Foundation
import SheafCore
import SheafStorage

/// `sheaf import`: brings a file's items into the list, all or none.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the items of a file, or of standard input, to the list.",
        discussion: """
            Formats: lines, where each line is an item; json, as list and export print it. An item of a JSON file \
            whose id is in the list is updated there; all others are added at the end. If anything cannot be read, \
            the line is named and nothing is changed.

            For example:
              sheaf import books.txt
              dpkg-query -W -f '${Package}\\n' | sheaf import --store packages.sqlite -
            """)

    @OptionGroup var store: StoreOptions

    @Option(
        help:
            "lines or json (default: what the file's name ends in, .txt or .json; lines for standard input)."
    )
    var format: ListFormat?

    @Argument(help: "The file to read, or - for standard input.")
    var file: String

    func run() throws {
        let input = FileInput(file)
        let format = try format ?? guessedFormat(of: input)
        let list: ImportedList
        do {
            list = try format.read(try input.read())
        } catch let error as FormatError {
            let line = error.line.map { "\($0):" } ?? ""
            let path = error.path.map { "\($0): " } ?? ""
            throw CommandFailure(.badInput, "\(input.name):\(line) \(path)\(error.reason)")
        }
        let storage = try store.open(.readWriteCreate)
        if list.items.count >= 10_000 {
            Diagnostics.progress("Importing \(counted(list.items.count, "item"))…")
        }
        let plan = try waiting { try await ListAddition.add(list, to: storage) }
        let updated = plan.updatedItems > 0 ? ", updated \(plan.updatedItems)" : ""
        try FileOutput().write("Imported \(counted(plan.addedItems, "item"))\(updated).\n")
    }

    private func guessedFormat(of input: FileInput) throws -> ListFormat {
        if input.isStandardInput { return .lines }
        guard let format = ListFormat(fileName: file) else {
            throw CommandFailure(
                .usage,
                "\(file): its name does not tell the format; add --format lines or --format json")
        }
        return format
    }
}

extension ListFormat: ExpressibleByArgument {}
