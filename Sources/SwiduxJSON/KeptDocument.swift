import FoundationEssentials

/// The text of a ``JSONFile``: a head with format and version, then the entities, one per line.
///
/// ```
/// {"swidux":1,"format":"todos","version":1,"entities":{
/// "todos":[
/// {"id":"…","isDone":false,"rank":"a0","title":"Milk"}
/// ]}}
/// ```
enum KeptDocument {
    /// The key of a member of a JSON object, such as the name of a ``Kept`` store.
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The version of this layout, which does not depend on the versions of the programs that use
    /// it.
    private static let layout = 1

    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    // MARK: Writing

    static func text(
        of parts: [Part], format: String, version: Int
    ) throws -> [UInt8] {
        let encoder = encoder
        var text = Array("{\"swidux\":\(layout),\"format\":".utf8)
        text += try encoder.encode(format)
        text += Array(",\"version\":\(version),\"entities\":{".utf8)
        for (index, (name, part)) in parts.enumerated() {
            text += Array(index == 0 ? "\n".utf8 : ",\n".utf8)
            text += try encoder.encode(name)
            text += Array(":[".utf8)
            for (index, entity) in try part.texts().enumerated() {
                text += Array(index == 0 ? "\n".utf8 : ",\n".utf8)
                text += entity
            }
            text += Array("\n]".utf8)
        }
        return text + Array("}}\n".utf8)
    }

    // MARK: Reading

    /// A store of the program or of the file, under its name.
    typealias Part = (name: String, part: any KeptPart)

    /// Returns the entities of `text` for each of `parts`. A part that the text lacks is returned
    /// unchanged. After them come the stores of the file that the program does not know.
    ///
    /// - Throws: `JSONFile.Failure`.
    static func parts(
        in text: [UInt8], like parts: [Part], of file: JSONFile
    ) throws -> [Part] {
        guard !text.isEmpty else { throw file.failure(.corrupt, "the file is empty") }
        let foreign = file.failure(.foreign, "this is no file of the format \"\(file.format)\"")
        var data = Data(text)
        let head: Head
        do {
            head = try JSONDecoder().decode(Head.self, from: data)
        } catch {
            // A text with this beginning is a damaged file of this layout, not a foreign file.
            guard text.starts(with: "{\"swidux\":".utf8) else { throw foreign }
            throw file.failure(.corrupt, words(for: error))
        }
        guard head.format == file.format else { throw foreign }
        guard head.swidux <= layout, head.version <= file.version else {
            throw file.failure(.newer, "a newer version of the program wrote it")
        }
        do {
            if head.version < file.version, let migrate = file.migrate {
                var earlier = EarlierFile(
                    version: head.version,
                    stores: try JSONDecoder().decode(Stores.self, from: data).entities)
                try migrate(&earlier)
                data = try JSONEncoder().encode(Stores(entities: earlier.stores))
            }
            return try JSONDecoder().decode(
                Body.self, from: data, configuration: (parts, file)
            ).parts
        } catch let failure as JSONFile.Failure {
            throw failure
        } catch {
            throw file.failure(.corrupt, words(for: error))
        }
    }

    private struct Stores: Codable {
        var entities: [String: [KeptValue]]
    }

    private struct Head: Decodable {
        let swidux: Int
        let format: String
        let version: Int
    }

    private struct Body: DecodableWithConfiguration {
        let parts: [Part]

        init(
            from decoder: any Decoder, configuration: (parts: [Part], file: JSONFile)
        ) throws {
            let document = try decoder.container(keyedBy: Key.self)
            let entities = try document.nestedContainer(
                keyedBy: Key.self, forKey: Key(stringValue: "entities"))
            let known = Set(configuration.parts.map(\.name))
            let unknown = entities.allKeys.map(\.stringValue).filter { !known.contains($0) }
            if let name = unknown.first, configuration.file.unknownStores == .refused {
                throw configuration.file.failure(
                    .newer,
                    """
                    it has the store "\(name)", which this program does not keep: drop or rename it \
                    in a migration, or keep unknown stores
                    """)
            }
            let all = configuration.parts + unknown.sorted().map { ($0, UnknownEntities()) }
            parts = try all.map { name, initial in
                guard entities.contains(Key(stringValue: name)) else { return (name, initial) }
                var part = initial.emptied()
                try part.read(Key(stringValue: name), from: entities)
                return (name, part)
            }
        }
    }

    /// Returns a short description of an error from decoding a text or encoding a value.
    static func words(for error: any Error) -> String {
        let context: DecodingError.Context
        switch error {
        case DecodingError.keyNotFound(let key, let found):
            return "\(path(found.codingPath + [key])) is missing"
        case DecodingError.typeMismatch(_, let found), DecodingError.valueNotFound(_, let found),
            DecodingError.dataCorrupted(let found):
            context = found
        case EncodingError.invalidValue(_, let found):
            return "\(path(found.codingPath)): \(found.debugDescription)"
        default: return "\(error)"
        }
        return context.codingPath.isEmpty
            ? "not valid JSON" : "\(path(context.codingPath)): \(context.debugDescription)"
    }

    /// Returns a path such as `entities.todos[2].title`.
    private static func path(_ keys: [any CodingKey]) -> String {
        var path = ""
        for key in keys {
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return path
    }
}
