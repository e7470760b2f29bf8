import Foundation
import SheafList
import SheafStorage

/// `FindBenchmarks [--items N] [--name-bytes N] [--rounds N] [--only TEXT] [--output FILE]`:
/// measures searching and sorting in a long list, from the action to all rows and counts, without
/// the terminal. Prints the tables. With `--output`, adds a table for long names, and also writes
/// the tables to FILE.
@main
enum Main {
    @MainActor
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        func option(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
                return nil
            }
            defer { arguments.removeSubrange(index...index + 1) }
            return arguments[index + 1]
        }
        let count = option("--items").flatMap { Int($0) } ?? 1_000_000
        let rounds = option("--rounds").flatMap { Int($0) } ?? 20
        let only = option("--only")
        let nameBytes = option("--name-bytes").flatMap { Int($0) } ?? 0
        let output = option("--output")
        var text = await tables(count, nameBytes: nameBytes, rounds: rounds, only: only)
        guard let output else { return print(text, terminator: "") }
        text = """
            # What finding and sorting cost

            From an action to all rows and counts, without a terminal. Text is searched in names, tags and notes, \
            and matches are ranked; below, the time of bare C for the letters in order in the same names alone.


            """ + text
        text += "\n" + (await tables(count, nameBytes: 200, rounds: rounds, only: "a letter"))
        try text.write(toFile: output, atomically: true, encoding: .utf8)
        print(text, terminator: "")
    }

    @MainActor
    private static func tables(
        _ count: Int, nameBytes: Int, rounds: Int, only: String?
    ) async -> String {
        let list = LongList(count: count, nameBytes: nameBytes)
        let names = nameBytes > 0 ? ", names of \(nameBytes) bytes" : ""
        var lines = ["## \(count) items\(names)", ""] + Row.heading
        let scan = BareScan(list)
        for scene in Scene.all where only.map(scene.name.contains) ?? true {
            lines.append(await scene.play(on: list, rounds: rounds).markdown)
            if let text = scene.typed { lines.append(scan.row(of: text, rounds: rounds).markdown) }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
