import Foundation
import SheafList
import Testing

@Suite("Random ids")
struct RandomIDTests {
    @Test("ids are of version 4, differ, and have no bit but those of the version in common")
    func ids() {
        let ids = (0..<1_000).map { _ in UUID.random() }
        #expect(Set(ids).count == ids.count)
        let bytes = ids.map { id in withUnsafeBytes(of: id.uuid) { Array($0) } }
        #expect(bytes.allSatisfy { $0[6] >> 4 == 4 && $0[8] >> 6 == 2 })
        let always = bytes.reduce([UInt8](repeating: 0xff, count: 16)) { zip($0, $1).map(&) }
        let ever = bytes.reduce([UInt8](repeating: 0, count: 16)) { zip($0, $1).map(|) }
        #expect(always == [0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0])
        #expect(ever.map { ~$0 } == [0, 0, 0, 0, 0, 0, 0xb0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0])
    }
}
