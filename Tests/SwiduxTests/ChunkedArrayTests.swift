import Testing

@testable import Swidux

@Suite struct ChunkedArrayTests {
    @Test(
        "it behaves as a sorted array does, and held copies stay as they were",
        arguments: [1, 2])
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var array = ChunkedArray<Int>()
        var model: [Int] = []
        var held: [(ChunkedArray<Int>, [Int])] = []
        for step in 0..<12_000 {
            // Phases of growing and shrinking, so that chunks are divided, joined and vanish.
            let grows = (step / 3000) % 2 == 0
            let key = Int.random(in: 0..<8000, using: &generator)
            let index = model.firstIndex { $0 >= key } ?? model.count
            let isThere = index < model.count && model[index] == key
            let place = array.place { $0 < key }
            #expect(array.position(of: place) == index)
            #expect(array[place] == (index < model.count ? model[index] : nil))
            if Int.random(in: 0..<10, using: &generator) < (grows ? 8 : 2) {
                if isThere {
                    array.replace(at: place, with: key)
                } else {
                    array.insert(key, at: place)
                    model.insert(key, at: index)
                }
            } else if isThere {
                array.remove(at: place)
                model.remove(at: index)
            }
            #expect(array.count == model.count)
            if let position = model.indices.randomElement(using: &generator) {
                #expect(array[position] == model[position])
                #expect(array.position(of: array.place(at: position)) == position)
            }
            if step % 500 == 0 { held.append((array, model)) }
        }
        for (array, model) in held + [(array, model)] {
            #expect(Array(array) == model)
            #expect(array.first == model.first && array.last == model.last)
            let middle = model.count / 2
            #expect(array.page(at: middle, count: 700) == Array(model[middle...].prefix(700)))
            #expect(array.chunks.allSatisfy { 1...ChunkedArray<Int>.capacity ~= $0.count })
        }
    }

    @Test("deletions leave no row of small chunks")
    func joining() {
        var array = ChunkedArray(0..<20_000)
        for position in (0..<20_000).reversed() where position % 50 != 0 {
            array.remove(at: array.place(at: position))
        }
        #expect(Array(array) == Array(stride(from: 0, to: 20_000, by: 50)))
        #expect(array.chunks.count <= 8)
    }

    @Test("appended to, it fills its chunks", arguments: [1, 100, 384, 385, 10_000])
    func appending(count: Int) {
        var array = ChunkedArray<Int>()
        for number in 0..<count { array.insert(number, at: array.place(at: number)) }
        #expect(Array(array) == Array(0..<count))
        #expect(array.chunks.count == (count - 1) / 384 + 1)
    }

    @Test("an iterator goes on over what it began with")
    func iterating() {
        var array = ChunkedArray(0..<3000)
        var seen: [Int] = []
        for key in array {
            array.remove(at: array.place(at: 0))
            seen.append(key)
        }
        #expect(seen == Array(0..<3000))
        #expect(array.isEmpty)
    }

    @Test(
        "the chunks that changed are those that only one of two arrays has", arguments: [1, 2, 3])
    func changes(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var array = ChunkedArray(stride(from: 0, to: 40_000, by: 4).map(\.self))
        for _ in 0..<60 {
            let older = array
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                let key = Int.random(in: 0..<41_000, using: &generator)
                let place = array.place { $0 < key }
                if array[place] == key || array.count > 12_000 {
                    if array[place] != nil { array.remove(at: place) }
                } else {
                    array.insert(key, at: place)
                }
            }
            let (old, new) = array.changedChunks(since: older, by: <)
            func objects(_ array: ChunkedArray<Int>) -> Set<ObjectIdentifier> {
                Set(array.chunks.map { ObjectIdentifier($0) })
            }
            let (before, after) = (objects(older), objects(array))
            #expect(
                old
                    == older.chunks.indices.filter {
                        !after.contains(ObjectIdentifier(older.chunks[$0]))
                    })
            #expect(
                new
                    == array.chunks.indices.filter {
                        !before.contains(ObjectIdentifier(array.chunks[$0]))
                    })
        }
    }

    /// The elements again, edited as columns are.
    private struct Copy: ChunkColumns {
        private(set) var elements: ContiguousArray<Int>
        private(set) var edits = 0

        init(_ elements: ContiguousArray<Int>) { self.elements = elements }

        mutating func insert(_ element: Int, at index: Int) {
            elements.insert(element, at: index)
            edits += 1
        }
        mutating func replace(_ old: Int, at index: Int, with new: Int) {
            #expect(elements[index] == old)
            elements[index] = new
            edits += 1
        }
        mutating func remove(at index: Int) {
            elements.remove(at: index)
            edits += 1
        }
    }

    @Test("columns follow the edits of a chunk", arguments: [1, 2])
    func columns(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var array = ChunkedArray(0..<2000)
        var edited = 0
        for step in 0..<3000 {
            let older = array
            let position = Int.random(in: 0..<array.count, using: &generator)
            let place = array.place(at: position)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: array.insert(step, at: place)
            case 1: array.replace(at: place, with: step)
            default: array.remove(at: place)
            }
            // Of two chunks the columns are never asked for.
            for (number, chunk) in array.chunks.enumerated() where number > 1 {
                let columns = chunk.columns(as: Copy.self)
                #expect(columns.elements == chunk.elements)
                edited += columns.edits
            }
            for chunk in older.chunks.dropFirst(2) {
                #expect(chunk.columns(as: Copy.self).elements == chunk.elements)
            }
        }
        #expect(edited > 0)
    }
}
