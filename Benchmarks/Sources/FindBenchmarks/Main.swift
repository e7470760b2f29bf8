import Foundation
import SheafCore
import SheafStorage

/// `FindBenchmarks [--items N] [--name-bytes N] [--rounds N] [--only TEXT]`: what finding and
/// sorting cost on a long list, from the action to all rows and counts, without the terminal.
@main
enum Main {
    @MainActor
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        func option(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
                return nil
            }
            defer { arguments.removeSubrange(index...index + 1) }
            return arguments[index + 1]
        }
        let count = option("--items").flatMap { Int($0) } ?? 1_000_000
        let rounds = option("--rounds").flatMap { Int($0) } ?? 5
        let only = option("--only")
        let nameBytes = option("--name-bytes").flatMap { Int($0) } ?? 0
        let list = LongList(count: count, nameBytes: nameBytes)
        print("\(count) items, \(rounds) rounds: from the action to all rows and counts")
        print("| what | median ms | p99 ms | processor ms, all threads |")
        print("|---|---|---|---|")
        for scene in Scene.all where only.map(scene.name.contains) ?? true {
            await scene.play(on: list, rounds: rounds)
        }
    }
}
