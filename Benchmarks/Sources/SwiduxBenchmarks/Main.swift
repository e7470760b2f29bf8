import Foundation

/// `SwiduxBenchmarks [--sizes N,N,...] [--only TEXT] [--floor MS] [--alone] [--output FILE]`: runs
/// the cases, prints the report, and writes it to FILE. `--alone` omits the textbook design, for
/// use with a profiler.
@main
enum Main {
    @MainActor
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        func option(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
                return nil
            }
            defer { arguments.removeSubrange(index...index + 1) }
            return arguments[index + 1]
        }
        let sizes = (option("--sizes") ?? "1000,10000,100000,1000000")
            .split(separator: ",").compactMap { Int($0) }
        let only = option("--only")
        var effort = Effort()
        if let milliseconds = option("--floor").flatMap({ Int($0) }) {
            effort.floor = .milliseconds(milliseconds)
            effort.ceiling = effort.floor * 10
        }
        let output = option("--output")
        let cases = Case.all.filter { only.map($0.name.contains) ?? true }
        let report = measure(
            cases, sizes: sizes, effort: effort, isAlone: arguments.contains("--alone"), only: only)
        guard let output else { return print(report.markdown) }
        try report.markdown.write(toFile: output, atomically: true, encoding: .utf8)
        print(report.markdown)
    }

    @MainActor
    private static func measure(
        _ cases: [Case], sizes: [Int], effort: Effort, isAlone: Bool, only: String?
    ) -> Report {
        let isWhole = only == nil
        var report = Report(sizes: sizes)
        report.rows = cases.map { Report.Row(name: $0.name, budget: $0.budget) }
        for size in sizes {
            let fixture = Fixture(size: size)
            report.storeBytes[size] = fixture.bytesPerEntity
            for (index, benchmark) in cases.enumerated() {
                FileHandle.standardError.write(Data("\(size): \(benchmark.name)\n".utf8))
                let workloads = benchmark.workloads(fixture).prefix(isAlone ? 1 : 2)
                report.rows[index].timings[size] = SwiduxBenchmarks.measure(
                    effort: effort, Array(workloads))
            }
            if only.map(PlainDictionary.title.contains) ?? true {
                report.plain[size] = PlainDictionary(fixture, effort)
            }
            if isWhole { report.undoBytes[size] = Figures.undoBytesPerEntity(fixture) }
        }
        if isWhole { report.moves = Figures.moves(1_000_000) }
        return report
    }
}
