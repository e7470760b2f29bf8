import HeapModule
import SheafList

/// The order of a list's tags, gathered from texts that each show a part of it: the tags of one
/// item, say, one after the other. A text that was written from a list is written again from its
/// import just so.
///
/// Where the parts leave it open, what was named first comes first; where they contradict one
/// another, as in a text by hand they may, so do the tags that were named first. O(names + parts ·
/// log tags).
struct TagOrder {
    private var names: [String] = []
    private var places: [String: Int] = [:]
    /// Names come by the hundred thousand and are few, and folding is slow.
    private var placesByExactName: [String: Int] = [:]
    private var isLeading: [Bool] = []
    private var followers: [[Int]] = []
    private var known: Set<Pair> = []

    private struct Pair: Hashable {
        var first: Int
        var second: Int
    }

    /// A tag that comes before those that do not lead, as far as nothing says otherwise.
    mutating func addLeading(_ name: String) {
        isLeading[place(of: name)] = true
    }

    /// Tags that were found in this order; those without a name are none.
    mutating func add(_ tags: some Sequence<String>) {
        var last: Int?
        for tag in tags where !Tag.fold(tag).isEmpty {
            let place = place(of: tag)
            if let last, last != place, known.insert(Pair(first: last, second: place)).inserted {
                followers[last].append(place)
            }
            last = place
        }
    }

    /// All of them, spelled as they were first.
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
            // If none is ready, those that are left wait for one another.
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
