import FoundationEssentials
import SheafList
import Swidux

/// Writes a list page by page, in bounded memory.
///
///     var writer = ListWriter(.jsonList, tags: tags) { try handle.write(contentsOf: $0) }
///     try writer.write(page)      // any number of times
///     try writer.finish()
///
/// The text is stable: equal lists give equal bytes. JSON has one item per line, the keys of its
/// objects in alphabetical order, and no terminal control characters. ``TodoWord``, ``TodoLine``
/// and ``MarkdownItem`` describe how their formats write values that they cannot represent
/// directly.
package struct ListWriter {
    /// The form of the text.
    package enum Form: Hashable, Sendable {
        /// One item per line. The format has no escapes, so line breaks inside a name become
        /// spaces.
        case lines
        /// The array that `list --format json` prints, without empty members except `tags`.
        case jsonList
        /// The content of a store: the tags and views, followed by the array of items.
        case jsonStore
        /// A checklist, without times, and without the colors and the order of tags.
        case markdown
        /// One task per line, with days instead of times, and without the colors and the order of
        /// tags.
        case todotxt
    }

    /// The keys of the objects in ``Form/jsonList``, in order.
    package static let jsonListKeys = itemJSON(.jsonList, hasRanks: false).keys

    private static func itemJSON(_ form: Form, hasRanks: Bool) -> EntityJSON<Item> {
        let fields = Item.fields.filter { hasRanks || $0.name != "rank" }
        let derived = ("done", { @Sendable (item: Item) in item.isDone ? "true" : "false" })
        guard form == .jsonList else { return EntityJSON(fields, derived: [derived]) }
        return EntityJSON(fields, derived: [derived], condition: condition)
    }

    /// Returns the condition for writing a field: the list form omits empty fields, except the name
    /// and the tags.
    private static func condition(
        for field: Field<Item>
    ) -> (@Sendable (Item) -> Bool)? {
        guard !["name", "tags"].contains(field.name) else { return nil }
        return { !field.isEmpty(in: $0) || hasFormerExtra(for: field, $0) }
    }

    /// Returns true if an extra has the key under which a former version stored `field`. If the
    /// field were omitted, a reader would take the extra for it.
    private static func hasFormerExtra(for field: Field<Item>, _ item: Item) -> Bool {
        item.extras.contains { extra in
            FormerExtra.all.contains { $0.field == field.name && $0.key == extra.key }
        }
    }

    /// The size, in bytes, at which the buffered text is passed to `output`.
    private static let chunkSize = 64 * 1024

    private let form: Form
    private let itemJSON: EntityJSON<Item>
    private let id: UUID?
    private let others: [Item.Extra]
    private let tags: [Tag]
    private let calendar: LocalCalendar
    private let tagIndexes: [Tag.ID: Int]
    private let quotedTagNames: [[UInt8]]
    private var markdown: MarkdownWriter
    private let output: ([UInt8]) throws -> Void
    private var bytes: [UInt8] = []
    private var isFirst = true

    /// - Parameters:
    ///   - id: The id of the list itself, for the store form.
    ///   - tags: All tags of the list, in their order.
    ///   - rows: The saved views and other small entities of the list, for the store form.
    ///   - hasRanks: True to write ranks in the store form. If the list is rewritten after a
    ///     change, only the texts of the changed entities then differ. In other forms, the order of
    ///     the lines is sufficient.
    ///   - hasHeadings: True to write the Markdown headings below which items were imported.
    ///   - others: Additional members of the store form, with their JSON texts.
    ///   - calendar: The calendar that converts times to days, for forms that have days.
    ///   - output: Receives the text in pieces. `write` and `finish` rethrow its errors.
    package init(
        _ form: Form, id: UUID? = nil, tags: [Tag], rows: StorageChanges = StorageChanges(),
        hasRanks: Bool = false, hasHeadings: Bool = true, others: [Item.Extra] = [],
        calendar: LocalCalendar = .system,
        output: @escaping ([UInt8]) throws -> Void
    ) {
        self.form = form
        itemJSON = Self.itemJSON(form, hasRanks: hasRanks)
        self.id = id
        self.others = others
        self.tags = tags
        self.calendar = calendar
        self.output = output
        tagIndexes = Dictionary(
            zip(tags.map(\.id), tags.indices), uniquingKeysWith: { first, _ in first })
        quotedTagNames = tags.map { Array(JSONText.quoted($0.name).utf8) }
        markdown = MarkdownWriter(
            tagNames: tags.map(\.name), hasHeadings: hasHeadings, calendar: calendar)
        begin(rows, hasRanks: hasRanks)
    }

    /// Writes `items` after all previous ones.
    package mutating func write(_ items: some Sequence<Item>) throws {
        for item in items {
            switch form {
            case .lines: appendLine(item)
            case .jsonList, .jsonStore: appendJSON(item)
            case .markdown: append(markdown.text(for: item, tags: tagPlaces(item)))
            case .todotxt:
                let names = tagPlaces(item).map { tags[$0].name }
                let line = TodoLine.text(for: item, tags: names, calendar: calendar)
                append(line: Array((line + "\n").utf8))
            }
            if bytes.count >= Self.chunkSize { try flush() }
        }
    }

    /// Writes the rest of the buffer and the end of the text. Call it once.
    package mutating func finish() throws {
        switch form {
        case .lines, .markdown, .todotxt: break
        case .jsonList: bytes += Array(isFirst ? "]\n".utf8 : "\n]\n".utf8)
        case .jsonStore:
            append(isFirst ? "]" : "\n  ]")
            for other in others { append(",\n  \(JSONText.quoted(other.key)): \(other.value)") }
            append("\n}\n")
        }
        try flush()
    }

    private mutating func flush() throws {
        guard !bytes.isEmpty else { return }
        try output(bytes)
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func appendLine(_ item: Item) {
        let name = item.name.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        append(line: name + [0x0A])
    }

    /// Appends a line of text. Readers skip a byte order mark at the beginning of a text, so a
    /// first line that itself begins with one gets another in front.
    private mutating func append(line: [UInt8]) {
        if isFirst, line.starts(with: [UInt8].byteOrderMark) { bytes += [UInt8].byteOrderMark }
        isFirst = false
        bytes += line
    }

    /// Returns the indices of the item's tags in the order of the list.
    private func tagPlaces(_ item: Item) -> [Int] {
        item.tags.compactMap { tagIndexes[$0] }.sorted()
    }

    // MARK: JSON

    private mutating func begin(_ rows: StorageChanges, hasRanks: Bool) {
        switch form {
        case .lines, .markdown, .todotxt: break
        case .jsonList: append("[")
        case .jsonStore:
            append("{\n  \"format\": \"sheaf\",\n  \"version\": \(JSONListReader.version),\n")
            if let id { append("  \"id\": \"\(id.uuidString.lowercased())\",\n") }
            append(tags, hasRanks: hasRanks)
            // Older versions do not know every kind, so a kind without entities is omitted.
            func appendAny(_ kind: (some SmallEntity).Type) {
                let entities = rows[kind].upserts
                if !entities.isEmpty { append(entities, hasRanks: hasRanks) }
            }
            for kind in Kinds.small where kind != Tag.self { appendAny(kind) }
            append("  \"items\": [")
        }
    }

    /// Appends the array of the entities of one kind, with one entity per line.
    private mutating func append<Entity: SmallEntity>(_ entities: [Entity], hasRanks: Bool) {
        let json = EntityJSON(Entity.fields.filter { hasRanks || $0.name != "rank" })
        append("  \"\(Entity.plural)\": [")
        for (index, entity) in entities.enumerated() {
            append(index == 0 ? "\n    " : ",\n    ")
            json.append(entity, to: &bytes, tags: quotedNames)
        }
        append(entities.isEmpty ? "],\n" : "\n  ],\n")
    }

    private mutating func appendJSON(_ item: Item) {
        let indent = form == .jsonStore ? "    " : "  "
        append(isFirst ? "\n" : ",\n")
        isFirst = false
        append(indent)
        itemJSON.append(item, to: &bytes, tags: quotedNames)
    }

    private var quotedNames: EntityJSON<Item>.TagTexts {
        { [tagIndexes, quotedTagNames] tags in
            tags.compactMap { tagIndexes[$0] }.sorted().map { quotedTagNames[$0] }
        }
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}
