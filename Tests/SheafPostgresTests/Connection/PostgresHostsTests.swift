import Foundation
import SheafCore
import SheafPostgres
import SheafTestSupport
import Testing

@Suite("Several hosts", .timeLimit(.minutes(1)))
struct PostgresHostsTests {
    @Test("a host that takes a connection and ends it does not keep the next one from being tried")
    func endedAtOnce() async throws {
        let server = try SharedLists.server.get()
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, length)
                _ = getsockname(listener, $0, &length)
            }
        }
        try #require(listen(listener, 5) == 0)
        let ending = Thread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                close(connection)
            }
        }
        defer {
            shutdown(listener, Int32(SHUT_RDWR))
            close(listener)
        }
        ending.start()
        let ports = [Int(UInt16(bigEndian: address.sin_port)), server.port]
        let hosts = ports.map { "localhost:\($0)" }.joined(separator: ",")
        let url = server.url("anna").replacing("localhost:\(server.port)", with: hosts)
        let sharing = try PostgresSharing(PostgresURL(url, environment: [:]))
        #expect(sharing.role == "anna")
    }
}
