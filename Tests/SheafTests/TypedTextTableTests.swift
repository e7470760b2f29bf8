import FoundationEssentials
import SheafList
import SheafStorage
import SheafTestSupport
import Testing

@Suite("A text means the same everywhere: commands")
struct TypedTextTableTests {
    private let sheaf: SheafBinary
    private let path: String

    init() throws {
        sheaf = try SheafBinary()
        path = sheaf.path("list.sqlite")
    }

    private func open() async throws -> any ListStorage {
        try StoreURL(.sqlite, path: path).location.openStorage(.readWriteCreate)
    }

    /// The items and the tags of the list.
    private func stored() async throws -> (items: [Item], tags: [SheafList.Tag]) {
        let storage = try await open()
        let (items, tags) = (
            try await storage.loadItems(after: nil, limit: 1_000), try await storage.loadTags()
        )
        await storage.close()
        return (items, tags)
    }

    private func fill(_ items: [Item]) async throws {
        let storage = try await open()
        _ = try await storage.commit(StorageChanges(tags: TypedTextTable.tags, items: items))
        await storage.close()
    }

    private func expect(_ item: Item, _ tags: [SheafList.Tag], _ row: TypedTextTable.Row) {
        #expect(item.name == row.name, "\(row.text)")
        let names = tags.filter { item.tags.contains($0.id) }.map(\.name)
        #expect(names.sorted() == row.tags, "\(row.text)")
        #expect(item.fieldWords == row.fields, "\(row.text)")
    }

    @Test("sheaf add, with arguments and with lines", arguments: [false, true])
    func add(readsLines: Bool) async throws {
        try await fill([])
        let texts = TypedTextTable.rows.map(\.text)
        let result =
            readsLines
            ? try await sheaf.run(
                "add", "--store", path, "-", input: texts.joined(separator: "\r\n") + "\n\n")
            : try await sheaf.run(["add", "--store", path, "--"] + texts)
        #expect(result.status == 0, "\(result)")
        let (items, tags) = try await stored()
        #expect(items.count == texts.count)
        for (item, row) in zip(items, TypedTextTable.rows) { expect(item, tags, row) }
        #expect(
            result.output.lines.dropLast().map(String.init)
                == items.map { $0.id.uuidString.lowercased() })
        let read = TypedTextTable.rows.filter { row in
            let typed = TypedItem(
                row.text, tags: KnownTags(TypedTextTable.tags), today: CalendarDay("2026-11-25")!)
            return row.name != row.text || !row.tags.isEmpty || !typed.unread.isEmpty
        }
        #expect(result.errors.lines.count == read.count + 1)
    }

    @Test("sheaf add --literal and sheaf rename --literal keep each text")
    func literal() async throws {
        try await fill([])
        let texts = TypedTextTable.rows.map(\.text)
        let result = try await sheaf.run(["add", "--literal", "--store", path, "--"] + texts)
        #expect(result.errors.isEmpty)
        var (items, tags) = try await stored()
        #expect(items.map(\.name) == texts)
        #expect(items.allSatisfy { $0.tags.isEmpty && $0.fieldWords.isEmpty })
        let renamed = try await sheaf.run(
            "rename", "--literal", "--store", path, items[0].id.uuidString, "x #new @home")
        #expect(renamed.errors.isEmpty)
        (items, tags) = try await stored()
        #expect(items[0].name == "x #new @home" && items[0].tags.isEmpty)
        #expect(tags.count == TypedTextTable.tags.count)
    }

    @Test("sheaf rename")
    func rename() async throws {
        typealias Case = (name: String, tags: [String], row: TypedTextTable.Row)
        let renames: [Case] =
            TypedTextTable.renames.map { ($0.name, $0.tags, $0.result) }
            + TypedTextTable.rows.filter { $0.name != $0.text }.map { ("Other", [], $0) }
        var items = Fixtures.items(renames.map(\.name))
        for (index, rename) in renames.enumerated() {
            items[index].tags = Set(
                TypedTextTable.tags.filter { rename.tags.contains($0.name) }.map(\.id))
        }
        try await fill(items)
        for (item, rename) in zip(items, renames) {
            let result = try await sheaf.run(
                ["rename", "--store", path, item.id.uuidString, "--", rename.row.text])
            #expect(result.status == 0, "\(rename.row.text): \(result)")
        }
        let (found, tags) = try await stored()
        for (item, rename) in zip(found, renames) { expect(item, tags, rename.row) }
    }

    @Test("the reading is told on standard error, options win, and a repeated tag is new once")
    func reading() async throws {
        try await fill([])
        let result = try await sheaf.run(
            "add", "--store", path, "--priority", "C", "--due", "2030-01-02", "--tag", "work",
            "(A) Ring vet +Pets @home due:2026-12-01 t:2030-01-01 rec:+1y", "\\#x",
            "Feed +pets", "Milk")
        #expect(
            result.errors == """
                Read as: Ring vet · new tag +Pets · @home · scheduled for Tue 1 Jan 2030 · every year
                Read as: #x
                Read as: Feed · +Pets

                """)
        let (items, tags) = try await stored()
        #expect(tags.filter { $0.foldedName == "+pets" }.count == 1)
        #expect(items.allSatisfy { $0.priority == .c && $0.due == CalendarDay("2030-01-02") })
        #expect(items[0].name == "Ring vet" && items[0].tags.count == 3)
        #expect(items[3].tags.count == 1)
        let renamed = try await sheaf.run(
            "rename", "--store", path, items[0].id.uuidString, "Ring the vet #new")
        #expect(renamed.output == "Renamed “Ring vet” to “Ring the vet”.\n")
        #expect(renamed.errors == "Read as: Ring the vet · new tag #new\n")
    }

    @Test("without a line there is nothing to add")
    func noLines() async throws {
        for input in ["", "\n \n"] {
            let result = try await sheaf.run("add", "--store", path, "-", input: input)
            #expect(result.status == 65 && result.errors.contains("no text to add"))
        }
    }
}
