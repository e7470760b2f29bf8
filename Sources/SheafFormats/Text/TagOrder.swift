import HeapModule
import SheafList

/// The order of a list's tags, merged from parts of a text, such as the tags of each item. If a
/// list is exported and imported, the next export gives the same text.
///
/// If the parts do not determine the order of two tags, the tag that appears first in the text
/// comes first. The same applies to parts that contradict each other, as in a text that a user has
/// edited. O(names + parts · log tags).
struct TagOrder {
    private var names: [String] = []
    private var places: [String: Int] = [:]
    /// The places found so far, by the exact name. A text can repeat a few names hundreds of
    /// thousands of times, and folding is slow.
    private var placesByExactName: [String: Int] = [:]
    private var isLeading: [Bool] = []
    private var followers: [Set<Int>] = []

    /// Adds a leading tag, such as a heading. Leading tags precede all others, unless a part
    /// determines otherwise.
    mutating func addLeading(_ name: String) {
        isLeading[place(of: name)] = true
    }

    /// Adds tags in the order of a part. Tags with an empty name are ignored.
    mutating func add(_ tags: some Sequence<String>) {
        var last: Int?
        for tag in tags where !Tag.fold(tag).isEmpty {
            let place = place(of: tag)
            if let last, last != place { followers[last].insert(place) }
            last = place
        }
    }

    /// All tags in order, each in its first spelling.
    var tags: [ImportedTag] {
        let order = names.indices.sorted {
            (isLeading[$1] ? 1 : 0, $0) < (isLeading[$0] ? 1 : 0, $1)
        }
        var priorities = [Int](repeating: 0, count: names.count)
        for (priority, place) in order.enumerated() { priorities[place] = priority }
        var waiting = [Int](repeating: 0, count: names.count)
        for follower in followers.joined() { waiting[follower] += 1 }
        var ready = Heap(names.indices.lazy.filter { waiting[$0] == 0 }.map { priorities[$0] })
        var isPlaced = [Bool](repeating: false, count: names.count)
        var rest = order[...]
        var tags: [ImportedTag] = []
        while tags.count < names.count {
            // If no tag is ready, the remaining tags form cycles.
            guard let next = ready.popMin() ?? rest.popFirst().map({ priorities[$0] }) else {
                break
            }
            let place = order[next]
            guard !isPlaced[place] else { continue }
            isPlaced[place] = true
            tags.append(ImportedTag(name: names[place]))
            for follower in followers[place] {
                waiting[follower] -= 1
                if waiting[follower] == 0 { ready.insert(priorities[follower]) }
            }
        }
        return tags
    }

    private mutating func place(of name: String) -> Int {
        if let place = placesByExactName[name] { return place }
        let folded = Tag.fold(name)
        let place = places[folded] ?? names.count
        if place == names.count {
            names.append(name)
            isLeading.append(false)
            followers.append([])
        }
        places[folded] = place
        placesByExactName[name] = place
        return place
    }
}
