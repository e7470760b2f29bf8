import Foundation
import Swidux
import Testing

/// Random edits of an `EntityStore` beside a plain array.
@Suite struct EntityStoreModelTests {
    @Test(
        "ranked entities: order, changes, deltas, views and copies agree with an array",
        arguments: 1...2)
    func ranked(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var store = EntityStore<Row>()
        var model: [Row] = []
        var view = EntityView<Row> { $0.name.hasPrefix("a") }
        var touched: Set<UUID> = []
        var held: [(store: EntityStore<Row>, model: [Row])] = []
        var baseline: [UUID: Row] = [:]

        func sortModel() { model.sort { ($0.rank, $0.id) < ($1.rank, $1.id) } }
        for step in 0..<2000 {
            let number = Int.random(in: 0..<150, using: &generator)
            let id = UUID.numbered(number)
            let other = UUID.numbered(Int.random(in: 0..<150, using: &generator))
            switch Int.random(in: 0..<9, using: &generator) {
            case 0...2:
                let row = Row(
                    number, ["a", "b", "ab"].randomElement(using: &generator) ?? "a",
                    rank: ["a0", "a1", "a2", "a3"].randomElement(using: &generator) ?? "a0")
                if store[id] != row { touched.insert(id) }
                store[id] = row
                model.removeAll { $0.id == id }
                model.append(row)
                sortModel()
            case 3:
                if store.contains(id) { touched.insert(id) }
                store[id] = nil
                model.removeAll { $0.id == id }
            case 4:
                if store.modify(id, { $0.name += "x" }) { touched.insert(id) }
                if let index = model.firstIndex(where: { $0.id == id }) { model[index].name += "x" }
            case 5, 6:
                let isBefore = Bool.random(using: &generator)
                if isBefore { store.move(id, before: other) } else { store.move(id, after: other) }
                if id != other, let from = model.firstIndex(where: { $0.id == id }),
                    model.contains(where: { $0.id == other })
                {
                    let row = model.remove(at: from)
                    let target = model.firstIndex { $0.id == other } ?? 0
                    model.insert(row, at: isBefore ? target : target + 1)
                }
                // The values of ranks do not matter, only the order.
                #expect(store.map(\.id) == model.map(\.id))
                for row in store.values {
                    guard let index = model.firstIndex(where: { $0.id == row.id }) else { continue }
                    if model[index] != row { touched.insert(row.id) }
                    model[index] = row
                }
            case 7:
                let previous = store[id]
                let inserted = store.insert(Row(number, "a"), after: other)
                if inserted != previous { touched.insert(id) }
                model.removeAll { $0.id == id }
                let target = model.firstIndex { $0.id == other }
                model.insert(inserted, at: target.map { $0 + 1 } ?? model.count)
                for row in store.values {
                    guard let index = model.firstIndex(where: { $0.id == row.id }) else { continue }
                    if model[index] != row { touched.insert(row.id) }
                    model[index] = row
                }
                if other == id { sortModel() }
            default:
                store.resetChanges()
                touched = []
                baseline = Dictionary(uniqueKeysWithValues: model.map { ($0.id, $0) })
            }
            view.update(from: store)
            if step % 100 == 0 { held.append((store, model)) }
            guard step % 10 == 0 || step > 1900 else { continue }
            #expect(store.values == model)
            let shown = model.filter { $0.name.hasPrefix("a") }.map(\.id)
            #expect(Array(view.ids) == shown)
            #expect(store.changes.upserts.union(store.changes.deletions) == touched)
            #expect(
                store.changes.deletions == touched.filter { id in !model.contains { $0.id == id } })
            for id in touched where baseline[id] == nil && !store.contains(id) {
                #expect(store.changes.deletions.contains(id))
            }
            if let index = model.indices.randomElement(using: &generator) {
                #expect(store.position(of: model[index].id) == index)
                #expect(store.id(at: index) == model[index].id)
                #expect(store.page(at: index, count: 5) == Array(model[index...].prefix(5)))
            }
            if let row = shown.indices.randomElement(using: &generator) {
                #expect(view.position(of: shown[row]) == row && view.id(at: row) == shown[row])
            }
        }
        for (index, old) in held.enumerated() {
            #expect(old.store.values == old.model)
            guard let deltas = store.deltas(since: old.store.revision) else { continue }
            // The deltas lead from the old content to the new one.
            var replayed = Dictionary(uniqueKeysWithValues: old.model.map { ($0.id, $0) })
            for delta in deltas {
                #expect(replayed[delta.id] == delta.before, "seed \(seed), copy \(index)")
                replayed[delta.id] = delta.after
            }
            #expect(replayed == Dictionary(uniqueKeysWithValues: model.map { ($0.id, $0) }))
        }
        #expect(store.deltas(since: held.last?.store.revision ?? store.revision) != nil)
    }

    @Test(
        "entities without a rank keep the order of insertion through everything", arguments: 1...2)
    func unranked(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var store = EntityStore<Card>()
        var model: [Card] = []
        for _ in 0..<3000 {
            let number = Int.random(in: 0..<120, using: &generator)
            let card = Card(number, "\(Int.random(in: 0..<3, using: &generator))")
            let other = UUID.numbered(Int.random(in: 0..<120, using: &generator))
            let index = model.firstIndex { $0.id == card.id }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0...1:
                store[card.id] = card
                if let index { model[index] = card } else { model.append(card) }
            case 2:
                store[card.id] = nil
                if let index { model.remove(at: index) }
            case 3:
                store.move(card.id, before: other)
                guard let index, card.id != other, model.contains(where: { $0.id == other }) else {
                    break
                }
                let moved = model.remove(at: index)
                model.insert(moved, at: model.firstIndex { $0.id == other } ?? 0)
            case 4:
                store.append(card)
                if let index { model.remove(at: index) }
                model.append(card)
            default:
                guard Int.random(in: 0..<50, using: &generator) == 0 else { break }
                store.sort { $0.title < $1.title }
                model = model.enumerated()
                    .sorted { ($0.element.title, $0.offset) < ($1.element.title, $1.offset) }
                    .map(\.element)
            }
        }
        #expect(store.values == model)
        #expect(model.indices.allSatisfy { store.position(of: model[$0].id) == $0 })
    }
}
