import Foundation
import SheafList
import SheafTestSupport
import Terminal
import Testing

@testable import SheafTUI

/// Plays the lines of a ``KeyScript`` on a driver.
@MainActor
struct KeyScriptPlayer {
    private var size = Size(columns: 80, rows: 16)
    private var readOnlyReason: String?
    private var tags: [SheafList.Tag] = []
    private var views: [SavedView] = []
    private var driver: Driver?
    private var remembered: (items: [Item], tags: [SheafList.Tag], views: [SavedView])?

    /// Plays a line.
    ///
    /// - Returns: the difference from the expectation, or nil.
    mutating func play(_ line: KeyScript.Line) async throws -> String? {
        if try await begin(line) { return nil }
        guard let driver else { throw KeyScript.Failure(description: "there is no list yet") }
        if try await step(line, driver) { return nil }
        if let difference = try compare(line, driver) {
            return difference.isEmpty ? nil : difference
        }
        throw KeyScript.Failure(description: "no line begins with “\(line.word)”")
    }

    // MARK: The list

    private mutating func begin(_ line: KeyScript.Line) async throws -> Bool {
        switch line.word {
        case "size":
            let numbers = line.value.split(separator: "x").compactMap { Int($0) }
            guard numbers.count == 2 else {
                throw KeyScript.Failure(description: "a size is COLUMNSxROWS")
            }
            size = Size(columns: numbers[0], rows: numbers[1])
        case "read-only": readOnlyReason = line.value
        case "with tags": tags = Fixtures.tags(line.list)
        case "with views":
            views = line.list.enumerated().map { index, text in
                let parts = text.components(separatedBy: " = ")
                return Fixtures.view(index + 1, parts[0], query: parts.count > 1 ? parts[1] : "")
            }
        case "list": await open(Fixtures.items(names(line)))
        case "fixture":
            switch line.value {
            case "reading":
                let list = Fixtures.readingList()
                tags = list.tags
                await open(list.items)
            case "fruit":
                let list = Driver.fruitList()
                tags = list.tags
                await open(list.items)
            case "views":
                let list = Driver.viewList()
                (tags, views) = (list.tags, list.views)
                await open(list.items)
            default:
                throw KeyScript.Failure(description: "the fixtures are reading, fruit and views")
            }
        default: return false
        }
        return true
    }

    private func names(_ line: KeyScript.Line) -> [String] {
        let ends = line.value.components(separatedBy: "..").compactMap { Int($0) }
        return ends.count == 2 ? (ends[0]...ends[1]).map(String.init) : line.list
    }

    private mutating func open(_ items: [Item]) async {
        driver = await Driver(
            tags: tags, views: views, items: items, size: size, readOnlyReason: readOnlyReason)
        (tags, views, readOnlyReason) = ([], [], nil)
        size = Size(columns: 80, rows: 16)
    }

    // MARK: Steps

    private mutating func step(_ line: KeyScript.Line, _ driver: Driver) async throws -> Bool {
        switch line.word {
        case "keys": driver.type(line.value)
        case "burst": driver.typeAtOnce(line.value)
        case "settled keys": await driver.typeSettling(line.value)
        case "paste": driver.paste(line.value)
        case "click":
            let cell = try numbers(line, 2)
            driver.click(cell[0], cell[1])
        case "drag":
            let cells = try numbers(line, 4)
            driver.drag(from: (cells[0], cells[1]), to: (cells[2], cells[3]))
        case "pause": driver.pause()
        case "settle": await driver.store.settled()
        case "deleted elsewhere":
            let ids = try line.list.map { try item(named: $0, driver).id }
            driver.store.send(.saving(.arrived(deleting: ids)))
        case "renamed elsewhere":
            let names = line.value.components(separatedBy: " = ")
            var item = try item(named: names[0], driver)
            item.name = names[1]
            driver.store.send(.saving(.arrived(Arrival(StorageChanges(items: [item])))))
        case "tag deleted elsewhere":
            guard let tag = driver.state.tags.values.first(where: { $0.name == line.value }) else {
                throw KeyScript.Failure(description: "no tag is named “\(line.value)”")
            }
            var changes = StorageChanges(deletingTags: [tag.id])
            for var item in driver.state.items.values where item.tags.remove(tag.id) != nil {
                changes.items.upsert(item)
            }
            driver.store.send(.saving(.arrived(Arrival(changes))))
        case "day": driver.wall.set(Fixtures.now.advanced(days: try numbers(line, 1)[0]))
        case "remember":
            remembered = (
                driver.state.items.values, driver.state.tags.values, driver.state.views.values
            )
        default: return false
        }
        return true
    }

    private func item(named name: String, _ driver: Driver) throws -> Item {
        guard let item = driver.state.items.values.first(where: { $0.name == name }) else {
            throw KeyScript.Failure(description: "no item is named “\(name)”")
        }
        return item
    }

    private func numbers(_ line: KeyScript.Line, _ count: Int) throws -> [Int] {
        let numbers = line.value.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == count else {
            throw KeyScript.Failure(description: "\(line.word) takes \(count) numbers")
        }
        return numbers
    }

    // MARK: Expectations

    /// The difference of a line's expectation: empty if there is none, nil if the line is none.
    private func compare(_ line: KeyScript.Line, _ driver: Driver) throws -> String? {
        if let actual = list(line, driver) { return difference(line.list, actual) }
        if let actual = text(line, driver) { return difference(line.value, actual) }
        if let shown = shown(line, driver) { return shown }
        switch line.word {
        case "as remembered":
            guard let remembered else {
                throw KeyScript.Failure(description: "nothing was remembered")
            }
            return difference(remembered.items, driver.state.items.values)
                + difference(remembered.tags, driver.state.tags.values)
                + difference(remembered.views, driver.state.views.values)
        case "golden":
            try expectGolden(driver.canvas, line.value)
            return ""
        default: return nil
        }
    }

    private func difference<Value: Equatable>(_ expected: Value, _ actual: Value) -> String {
        expected == actual ? "" : "it is \(actual), not \(expected)"
    }

    private func list(_ line: KeyScript.Line, _ driver: Driver) -> [String]? {
        let state = driver.state
        let today = LocalCalendar.utc.day(Fixtures.now)
        switch line.word {
        case "rows": return driver.names
        case "items": return state.items.values.map(\.name)
        case "done": return driver.done
        case "marked": return driver.marked
        case "due":
            return state.items.values.map { item in
                item.due.map { day in
                    (-400...400).first { today.advanced(days: $0) == day }
                        .map { $0 < 0 ? "\($0)" : "+\($0)" } ?? day.description
                } ?? "none"
            }
        case "priorities":
            return state.items.values.map { $0.priority.map { "\($0)" } ?? "none" }
        case "tags": return state.tags.values.map(\.name)
        case "views": return state.views.values.map(\.name)
        case "tags of selected":
            return state.selectedItem.map(state.tags(of:))?.map(\.name) ?? ["none"]
        default: return nil
        }
    }

    private func text(_ line: KeyScript.Line, _ driver: Driver) -> String? {
        let state = driver.state
        let none = "none"
        if line.word.hasPrefix("tagged ") {
            return String(driver.tagged(String(line.word.dropFirst("tagged ".count))))
        }
        switch line.word {
        case "row count": return String(state.rows.count)
        case "selected": return state.selectedItem?.name ?? none
        case "selected tag": return state.selectedTag?.name ?? none
        case "selected view": return state.selectedView?.name ?? none
        case "says": return state.ui.toast?.text ?? none
        case "hint": return state.ui.toast?.hint ?? none
        case "alert": return state.ui.toast?.isAlert == true ? "yes" : "no"
        case "asks": return driver.question ?? none
        case "line": return state.ui.mode.line?.text ?? none
        case "mode": return state.ui.mode.isNormal ? "normal" : "other"
        case "query": return state.ui.viewSettings.filter
        case "fault": return state.query.error?.reason ?? none
        case "pane": return state.ui.pane == .items ? "items" : "tags"
        case "marker": return driver.markedTagRow ?? none
        case "exit": return state.leaving.exit.map { "\($0.status)" } ?? none
        default: return nil
        }
    }

    /// The difference of a line about a part of the screen.
    private func shown(_ line: KeyScript.Line, _ driver: Driver) -> String? {
        let isAbsent = line.word.hasPrefix("no ")
        let rows = driver.canvas.textRows
        let text: String
        switch isAbsent ? String(line.word.dropFirst(3)) : line.word {
        case "header": text = rows.first ?? ""
        case "last line": text = rows.last ?? ""
        case "screen": text = rows.joined(separator: "\n")
        case "message": text = driver.state.ui.toast?.text ?? ""
        default: return nil
        }
        return text.contains(line.value) != isAbsent
            ? "" : "it has \(isAbsent ? "" : "no ")“\(line.value)”:\n\(text)"
    }
}

extension Driver {
    /// The row of the tags pane that has the marker, without repeated spaces.
    var markedTagRow: String? {
        canvas.textRows
            .compactMap { $0.split(separator: "│").first }
            .first { $0.hasPrefix("▌") }
            .map { $0.dropFirst().split(separator: " ").joined(separator: " ") }
    }
}
