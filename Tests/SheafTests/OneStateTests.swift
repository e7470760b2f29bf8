import Foundation
import SheafPostgres
import SheafTestSupport
import Testing

/// Commands that print a list while others edit it.
@Suite("Printed lists are one state of the list")
struct OneStateTests {
    private let sheaf: SheafBinary

    init() throws { sheaf = try SheafBinary() }

    private static let count = 3_000

    /// A reader takes the first line, moves the last item to the top, and goes on reading. The list
    /// is not locked meanwhile.
    @Test(
        "every item is printed once, even if it is moved by the reader of the pipe",
        arguments: ["copy.sqlite", "copy.json", "server"],
        ["export", "export --format todotxt", "list --ids", "list --format json"])
    func moved(_ name: String, _ command: String) async throws {
        let list = try name == "server" ? serverList() : name
        let items = ["demo", "--items", "\(Self.count)", "--store", "demo.sqlite"]
        #expect(try await sheaf.run(items).status == 0)
        let copied = try await sheaf.run("copy", "demo.sqlite", list)
        #expect(copied.status == 0, "\(copied.errors)")
        let result = try await sheaf.shell(
            """
            export LIST='\(list)'
            $SHEAF list --ids --store "$LIST" >ids
            $SHEAF \(command) --store "$LIST" | {
              IFS= read -r line; echo "$line"
              $SHEAF move $(tail -n 1 ids) --before $(head -n 1 ids) --store "$LIST" >moved
              echo $? >status
              cat
            } >read
            $SHEAF \(command) --store "$LIST" >after
            """)
        #expect(result.errors.isEmpty, "\(result.errors)")
        #expect(String(decoding: try sheaf.bytes(of: "status"), as: UTF8.self) == "0\n")
        func lines(_ name: String) throws -> [Substring] {
            String(decoding: try sheaf.bytes(of: name), as: UTF8.self)
                .split(separator: "\n").map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
        }
        // The move changes only the order of the lines.
        #expect(try lines("read").count == lines("after").count)
        #expect(try Set(lines("read")).symmetricDifference(lines("after")).count <= 2)
    }

    private func serverList() throws -> String {
        let server = try SharedLists.server()
        let name = "list-\(UUID().uuidString.prefix(8).lowercased())"
        let sharing = try PostgresSharing(PostgresURL(server.url("anna"), environment: [:]))
        try sharing.create(name)
        return server.url("anna", list: name)
    }
}
