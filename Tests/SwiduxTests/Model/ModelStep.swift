import Foundation
import Swidux

/// One step of a random script: an edit by a user, something that happens to storage, or time that
/// goes by. Ids are those of rows, from 10 to 29; parents are 0 to 5.
enum ModelStep: Sendable, Hashable {
    case rename(Int, String)
    case delete(Int)
    case append(Int, String)
    case insert(Int, before: Int)
    case move(Int, before: Int)
    case moveAfter(Int, after: Int)
    /// Deletes and brings back under the same id, at the end.
    case replace(Int, String)
    case setParent(Int, parent: Int)
    case deleteParent(Int)
    case sort
    case removeAll(suffix: Int)
    /// Assigns the whole store, without one row.
    case assignWithout(Int)
    case undo, redo
    case failNext, hold, release
    case flush
    case advance(milliseconds: Int)
    /// The process is killed and starts again with the content of the disk.
    case crash

    static func random(using generator: inout SeededGenerator) -> ModelStep {
        func row() -> Int { .random(in: 10..<30, using: &generator) }
        func name() -> String { "name \(Int.random(in: 0..<100, using: &generator))" }
        switch Int.random(in: 0..<40, using: &generator) {
        case 0..<6: return .rename(row(), name())
        case 6..<9: return .delete(row())
        case 9..<12: return .append(row(), name())
        case 12: return .insert(row(), before: row())
        case 13..<15: return .move(row(), before: row())
        case 15..<17: return .moveAfter(row(), after: row())
        case 17..<19: return .replace(row(), name())
        case 19: return .setParent(row(), parent: .random(in: 0..<6, using: &generator))
        case 20: return .deleteParent(.random(in: 0..<6, using: &generator))
        case 21: return .sort
        case 22: return .removeAll(suffix: .random(in: 0..<10, using: &generator))
        case 23: return .assignWithout(row())
        case 24..<28: return .undo
        case 28..<30: return .redo
        case 30: return .failNext
        case 31: return .hold
        case 32: return .release
        case 33..<35: return .flush
        case 35: return .crash
        default: return .advance(milliseconds: .random(in: 1..<600, using: &generator))
        }
    }

    /// The effect of the step on a state, or nil if it is no edit.
    var edit: (@Sendable (inout ListState) -> Void)? {
        switch self {
        case .rename(let row, let name): { $0.rows.modify(.numbered(row)) { $0.name = name } }
        case .delete(let row): { $0.rows[.numbered(row)] = nil }
        case .append(let row, let name):
            { state in
                guard state.rows[.numbered(row)] == nil else { return }
                state.rows.append(Row(row, name))
            }
        case .insert(let row, let next):
            { state in
                guard state.rows[.numbered(row)] == nil, state.rows[.numbered(next)] != nil else {
                    return
                }
                state.rows.insert(Row(row), before: .numbered(next))
            }
        case .move(let row, let next): { $0.rows.move(.numbered(row), before: .numbered(next)) }
        case .moveAfter(let row, let previous):
            { $0.rows.move(.numbered(row), after: .numbered(previous)) }
        case .replace(let row, let name):
            { state in
                guard state.rows[.numbered(row)] != nil else { return }
                state.rows[.numbered(row)] = nil
                state.rows.append(Row(row, name))
            }
        case .setParent(let row, let parent):
            { state in
                if state.parents[.numbered(parent)] == nil {
                    state.parents.append(Row(parent, "parent"))
                }
                state.rows.modify(.numbered(row)) { $0.parent = .numbered(parent) }
            }
        case .deleteParent(let parent):
            { state in
                state.parents[.numbered(parent)] = nil
                for row in state.rows.values where row.parent == .numbered(parent) {
                    state.rows.modify(row.id) { $0.parent = nil }
                }
            }
        case .sort: { $0.rows.sort { $0.name < $1.name } }
        case .removeAll(let suffix): { $0.rows.removeAll { $0.name.hasSuffix("\(suffix)") } }
        case .assignWithout(let row):
            { $0.rows = EntityStore($0.rows.filter { $0.id != .numbered(row) }) }
        default: nil
        }
    }
}
