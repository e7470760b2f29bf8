import Foundation
import SheafList
import Testing

@Suite("Beginnings of ids")
struct IDPrefixTests {
    private func uuid(_ text: String) throws -> UUID { try #require(UUID(uuidString: text)) }

    @Test("a beginning stands for all ids that begin so")
    func range() throws {
        let prefix = try IDPrefix("9b2f6")
        #expect(try prefix.range.lowerBound == uuid("9b2f6000-0000-0000-0000-000000000000"))
        #expect(try prefix.range.upperBound == uuid("9b2f6fff-ffff-ffff-ffff-ffffffffffff"))
        #expect(!prefix.isWhole)
        #expect(try prefix.range.contains(uuid("9B2F6D0E-1C2A-4B11-9F00-000000000001")))
        #expect(try !prefix.range.contains(uuid("9b2f5fff-ffff-ffff-ffff-ffffffffffff")))
        #expect(try !prefix.range.contains(uuid("9b2f7000-0000-0000-0000-000000000000")))
    }

    @Test("case and hyphens do not matter, wherever they end")
    func spellings() throws {
        let plain = try IDPrefix("9b2f6d0e1c2a")
        for text in ["9B2F6D0E1C2A", "9b2f6d0e-1c2a", "9b2f6d0e-1C2A-", "9b2f-6d0e-1c2a"] {
            #expect(try IDPrefix(text) == plain, "\(text)")
        }
    }

    @Test("all of an id is that id")
    func whole() throws {
        let id = try uuid("9b2f6d0e-1c2a-4b11-9f00-0123456789ab")
        for text in [id.uuidString, id.uuidString.replacing("-", with: "")] {
            let prefix = try IDPrefix(text)
            #expect(prefix.isWhole)
            #expect(prefix.range == id...id)
        }
    }

    @Test("less than four digits are too few", arguments: ["9", "9b2", "9-b-2", "abc-"])
    func tooShort(_ text: String) {
        #expect(throws: IDPrefix.Failure.tooShort) { try IDPrefix(text) }
    }

    @Test(
        "what is no beginning of an id is said to be none",
        arguments: [
            "", "-", "----", "milk", "9b2g", "9b2f ", " 9b2f", "0x9b2f", "-9b2f", "９ｂ２ｆ", "9b2f\0",
            "9b2f\u{301}", "9b2f6d0e-1c2a-4b11-9f00-0123456789ab0", "{9b2f}",
        ])
    func malformed(_ text: String) {
        #expect(throws: IDPrefix.Failure.malformed) { try IDPrefix(text) }
    }

    @Test("ids are shown by eight characters, or by as many as tell them apart")
    func distinctLength() throws {
        let ids = try [
            "00000000-0000-4000-8000-000000000001", "10000000-0000-4000-8000-000000000001",
            "10000001-0000-4000-8000-000000000001", "10000001-5000-4000-8000-000000000001",
            "10000001-5000-4000-8000-000000000002",
        ].map(uuid)
        #expect(IDPrefix.distinctLength(of: [UUID]()) == 8)
        #expect(IDPrefix.distinctLength(of: ids.prefix(1)) == 8)
        #expect(IDPrefix.distinctLength(of: ids.prefix(3)) == 8)
        #expect(IDPrefix.distinctLength(of: ids.prefix(4).reversed()) == 10)
        #expect(IDPrefix.distinctLength(of: ids) == 36)
        #expect(IDPrefix.distinctLength(of: [ids[0], ids[0]]) == 36)
    }
}
