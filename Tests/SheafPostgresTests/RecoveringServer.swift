import Foundation

/// Answers as a PostgreSQL server that recovers, so many times, and is gone then.
final class RecoveringServer {
    let port: Int

    init(answers: Int) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isOpen else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread {
            for _ in 0..<answers { Self.answer(accept(listener, nil, nil)) }
            close(listener)
        }
    }

    /// Reads what a client begins with, and refuses it in the words of protocol 3.0.
    private static func answer(_ client: Int32) {
        var bytes = [UInt8](repeating: 0, count: 1 << 12)
        _ = read(client, &bytes, bytes.count)
        var fields = Data()
        for field in ["SFATAL", "C57P03", "Mthe database system is in recovery mode"] {
            fields += Data(field.utf8) + [0]
        }
        fields.append(0)
        let length = UInt32(fields.count + 4).bigEndian
        let message = Data("E".utf8) + withUnsafeBytes(of: length) { Data($0) } + fields
        _ = message.withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
        close(client)
    }
}
