import Testing

@testable import Swidux

@Suite struct OrderedTreeTests {
    @Test(
        "it behaves as a sorted array does, and held copies stay as they were",
        arguments: [1, 2])
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var tree = OrderedTree<Int>()
        var model: [Int] = []
        var held: [(OrderedTree<Int>, [Int])] = []
        for step in 0..<12_000 {
            // Phases of growing and shrinking, so that nodes split, merge and vanish.
            let grows = (step / 3000) % 2 == 0
            let key = Int.random(in: 0..<8000, using: &generator)
            let index = model.firstIndex { $0 >= key } ?? model.count
            let isThere = index < model.count && model[index] == key
            if Int.random(in: 0..<10, using: &generator) < (grows ? 8 : 2) {
                let isNew = tree.insert(key)
                #expect(isNew != isThere)
                if !isThere { model.insert(key, at: index) }
            } else {
                let wasThere = tree.remove(key)
                #expect(wasThere == isThere)
                if isThere { model.remove(at: index) }
            }
            #expect(tree.count == model.count)
            #expect(tree.lowerBound(of: key) == index)
            if let position = model.indices.randomElement(using: &generator) {
                #expect(tree[position] == model[position])
                #expect(tree.position(of: model[position]) == position)
            }
            if step % 500 == 0 { held.append((tree, model)) }
        }
        for (tree, model) in held + [(tree, model)] {
            #expect(Array(tree) == model)
            #expect(tree.first == model.first && tree.last == model.last)
            let middle = model.count / 2
            #expect(tree.keys(in: middle..<middle + 100) == Array(model[middle...].prefix(100)))
        }
    }

    @Test(
        "a tree built at once is as one filled", arguments: [0, 1, 47, 48, 49, 2304, 2305, 20_000])
    func building(count: Int) {
        var tree = OrderedTree(ascending: Array(0..<count))
        #expect(tree.count == count)
        #expect(Array(tree) == Array(0..<count))
        for key in stride(from: 0, to: count, by: 3) { tree.remove(key) }
        #expect(Array(tree) == (0..<count).filter { $0 % 3 != 0 })
    }

    @Test("emptied from either end, it is as new", arguments: [false, true])
    func emptying(backwards: Bool) {
        var tree = OrderedTree(ascending: Array(0..<5000))
        let held = tree
        for key in backwards ? Array((0..<5000).reversed()) : Array(0..<5000) {
            tree.remove(key)
        }
        #expect(tree.count == 0 && tree.first == nil && Array(tree).isEmpty)
        tree.insert(7)
        #expect(Array(tree) == [7])
        #expect(held.count == 5000 && Array(held) == Array(0..<5000))
    }

    @Test("an iterator goes on over what it began with")
    func iterating() {
        var tree = OrderedTree(ascending: Array(0..<300))
        var seen: [Int] = []
        for key in tree {
            tree.remove(key)
            seen.append(key)
        }
        #expect(seen == Array(0..<300))
        #expect(tree.count == 0)
    }
}
