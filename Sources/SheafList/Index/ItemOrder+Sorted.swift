extension ItemOrder {
    /// - Parameters:
    ///   - tags: all tags of the list, in their order, which sorting by tag follows.
    ///   - now: the present, for sorting by a time: days without a time begin as the present day
    ///     does in `calendar`.
    public init(
        _ sort: ItemSort, isReversed: Bool = false, tags: [Tag] = [],
        now: Timestamp = .now, calendar: LocalCalendar = .system
    ) {
        let places = sort == .tag ? tags.enumerated().map { ($1.id, $0) } : []
        self.init(
            sort: sort, isReversed: isReversed,
            tagPlaces: Dictionary(places, uniquingKeysWith: { first, _ in first }),
            dayShift: sort.isTime ? calendar.shift(of: calendar.day(now)) : 0)
    }

    /// Whether it is the order in which storage hands items on.
    public var isManual: Bool { self == .manual }

    /// Whether an item's tags say where it stands.
    public var needsTags: Bool { sort == .tag }

    /// `items`, which are in manual order, in this one. O(n log n), on all processors.
    ///
    /// - Parameter search: what they were found by, for the order of best matches: without one that
    ///   ranks them it is the manual order.
    public func sorted(_ items: [Item], foundBy search: ItemSearch = .everything) async -> [Item] {
        let width = min(SideBySide.width, items.count / 1_000 + 1)
        let size = max((items.count - 1) / width + 1, 1)
        let room = SortRoom(for: items.count)
        let parts = await sideBySide(
            stride(from: 0, to: items.count, by: size).map { start in
                { sortable(items, start..<min(start + size, items.count), room, foundBy: search) }
            })
        let names = parts.map(\.names)
        @Sendable func withName<Result>(
            _ number: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Result
        ) -> Result {
            names[Int(number) / size].withName(Int(number) % size, body)
        }
        let sort = RowsSort(
            self,
            names: RowsSort.Names(
                key: { number, start, level in
                    withName(number) {
                        key(
                            ofFolded: UnsafeBufferPointer(rebasing: $0.dropFirst(start)),
                            level: level)
                    }
                },
                spelling: { number in
                    withName(number) { folded in
                        items[Int(number)].texts.withUTF8 { name, _ in
                            NameSpelling(of: name, folded: folded)
                        }
                    }
                },
                compareBytes: {
                    NameOrder.compareBytes(items[Int($0)].texts, items[Int($1)].texts)
                },
                isBefore: { left, right in
                    withName(left) { name in
                        withName(right) {
                            isNameBefore(name, items[Int(left)].texts, $0, items[Int(right)].texts)
                                ?? false
                        }
                    }
                }))
        return await sort.sorted(parts.map(\.rows), width: width).map { items[Int($0)] }
    }

    /// The rows of `range` with what they are sorted by.
    private func sortable(
        _ items: [Item], _ range: Range<Int>, _ room: SortRoom, foundBy search: ItemSearch
    ) -> (rows: SortableRows, names: FoldedNames) {
        var matcher = sort == .match && search.looksForText ? ItemMatcher(search) : nil
        var names = FoldedNames()
        var rows = SortableRows(in: self, room: room, from: range.lowerBound)
        for number in range {
            let item = items[number]
            switch sort {
            case .name:
                names.append(of: item)
                names.withName(number - range.lowerBound) {
                    rows.append(UInt32(number), folded: $0)
                }
            case .manual:
                rows.append(UInt32(number), key: isReversed ? ~UInt64(number) : UInt64(number))
            case .match:
                let points = UInt64(matcher?.score(of: item) ?? 0)
                rows.append(UInt32(number), key: isReversed ? points : .max - points)
            default: rows.append(UInt32(number), key: prefix(of: item))
            }
        }
        return (rows, names)
    }
}

/// Folded names in a row.
private struct FoldedNames: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]

    mutating func append(of item: Item) {
        item.texts.withUTF8 { name, _ in
            FoldedText.append(name, keepsCase: false, to: &bytes)
        }
        ends.append(bytes.count)
    }

    func withName<Result>(
        _ number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[ends[number]..<ends[number + 1]]))
        }
    }
}
