// Lists the public declarations that have no documentation comment, and exits with 1 if there are
// any.
//
//     swift Resources/undocumented.swift SYMBOL_GRAPH.json...
//
// What the compiler made, and what an implementation inherits from a documented requirement, is
// left out by `swift symbolgraph-extract -skip-synthesized-members`.
import Foundation

struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Comment: Decodable {}
        struct Kind: Decodable { var identifier: String }
        struct Location: Decodable {
            struct Position: Decodable { var line: Int }

            var uri: String
            var position: Position
        }

        var kind: Kind
        var pathComponents: [String]
        var docComment: Comment?
        var location: Location?
    }

    var symbols: [Symbol]
}

var complaints: [String] = []
for path in CommandLine.arguments.dropFirst() {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let graph = try JSONDecoder().decode(SymbolGraph.self, from: data)
    // An extension of another module's type needs no comment; its members do.
    for symbol in graph.symbols
    where symbol.docComment == nil && symbol.kind.identifier != "swift.extension" {
        let name = symbol.pathComponents.joined(separator: ".")
        let place = symbol.location.map { location in
            let file = location.uri.replacingOccurrences(of: "file://", with: "")
            return "\(file):\(location.position.line + 1): "
        }
        complaints.append("\(place ?? "")\(name) has no documentation comment")
    }
}
for complaint in complaints.sorted() { print(complaint) }
exit(complaints.isEmpty ? 0 : 1)
