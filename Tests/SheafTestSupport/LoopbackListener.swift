import Foundation

/// A socket of this machine that takes connections, at a port that was free.
package final class LoopbackListener: Sendable {
    package let port: Int
    private let descriptor: Int32

    /// - Parameter host: an address of this machine, in the order of its bytes.
    package init(at host: in_addr_t = INADDR_LOOPBACK) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = Self.address(0)
        address.sin_addr.s_addr = host.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let problem = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) + listen(descriptor, 64)
                    + getsockname(descriptor, $0, &length)
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard descriptor >= 0, problem == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit { close(descriptor) }

    /// The next connection, which the caller closes, or nil once ``end()`` was called.
    package func accept() -> Int32? {
        let connection = Foundation.accept(descriptor, nil, nil)
        return connection >= 0 ? connection : nil
    }

    /// Refuses connections from now on.
    package func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// A port of this machine, 0 for any that is free.
    static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        return address
    }
}
