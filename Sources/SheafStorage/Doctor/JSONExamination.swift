import FoundationEssentials
import Glibc
import SheafFormats
import SheafList
import Swidux

/// An examination of every line of a JSON list.
struct JSONExamination {
    private let file: StoreFile
    /// The maximum number of faults that are listed. The rest are counted.
    private static let limit = 20

    init(_ file: StoreFile) {
        self.file = file
    }

    func run(_ diagnosis: inout Diagnosis) {
        do {
            let (data, version, _) = try file.content()
            guard !data.isEmpty else { throw FileFailure.empty(at: file.location) }
            do {
                let list = try WholeList(data, at: file.location, modified: version.modified)
                diagnosis.add(.fine, "header: a JSON list, format \(JSONListReader.version)")
                diagnosis.addCounts(
                    items: list.items.count, tags: list.tags.count, views: list.views.count)
                nameUnreadFields(of: list.items, &diagnosis)
                if list.items.count > WholeList.maxRecommendedItems {
                    diagnosis.add(.note, WholeList.sizeAdvice)
                }
            } catch let error as StorageError {
                diagnosis.add(advised(error))
                nameOthers(in: data, &diagnosis)
            }
        } catch let error as StorageError {
            diagnosis.add(error)
        } catch {
            diagnosis.refusal = .io
            diagnosis.add(.damage, "\(error)")
        }
    }

    /// Reports values that cannot be read and are kept as text, such as a due date of `next
    /// tuesday`.
    private func nameUnreadFields(of items: EntityStore<Item>, _ diagnosis: inout Diagnosis) {
        let fields = Set(FormerExtra.all.map(\.field))
        var lines: [String] = []
        for item in items.values {
            for extra in item.extras where fields.contains(extra.key) {
                lines.append("\(item.name): \(extra.key) “\(extra.value)”")
            }
        }
        guard !lines.isEmpty else { return }
        let rest = lines.count - Self.limit
        if rest > 0 { lines[Self.limit...] = ["and \(rest) more"] }
        diagnosis.add(
            .note, "dates, repeats or priorities that cannot be read",
            advice: "The text is kept, but it has no effect. Set a valid value with 'sheaf set'.",
            details: lines)
    }

    /// Adds the faults after the first one as findings.
    private func nameOthers(in data: Data, _ diagnosis: inout Diagnosis) {
        do {
            let bad = try JSONListReader.parse(data).errors.dropFirst()
            for error in bad.prefix(Self.limit) { diagnosis.add(.damage, "\(error)") }
            if bad.count > Self.limit {
                diagnosis.add(.damage, "and \(bad.count - Self.limit) more")
            }
        } catch {
            // The text cannot be parsed beyond the first fault, which has been reported.
        }
    }

    private func advised(_ error: StorageError) -> StorageError {
        guard error.code == .corrupt else { return error }
        var error = error
        let first = error.advice.map { "\($0) " } ?? ""
        error.advice = first + "'sheaf doctor --recover NEWFILE' saves what can be read."
        return error
    }
}
