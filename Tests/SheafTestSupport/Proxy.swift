import Foundation
import Synchronization

/// A network between a client and a server on this machine, which can be cut or lose the server's
/// answers.
package final class Proxy: Sendable {
    package var port: Int { listener.port }
    private let target: Int
    private let listener: LoopbackListener
    private let state = Mutex(State())

    private struct State {
        var losesAnswers = false
        var isCut = false
        var descriptors: [Int32] = []
    }

    /// - Parameter host: where it listens.
    package init(to target: Int, at host: in_addr_t = INADDR_LOOPBACK) throws {
        self.target = target
        let listener = try LoopbackListener(at: host)
        self.listener = listener
        Thread { [weak self] in
            while let client = listener.accept() {
                guard let self else {
                    close(client)
                    return
                }
                connect(client)
            }
        }
        .start()
    }

    deinit {
        cut()
        listener.end()
    }

    /// From now on nothing that the server says arrives.
    package func loseAnswers() { state.withLock { $0.losesAnswers = true } }

    /// Ends all connections, and makes no more.
    package func cut() {
        state.withLock { state in
            state.isCut = true
            for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Lets new connections through.
    package func restore() {
        state.withLock {
            $0.isCut = false
            $0.losesAnswers = false
        }
    }

    private func connect(_ client: Int32) {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = LoopbackListener.address(target)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let isWanted = state.withLock { state in
            guard isConnected, !state.isCut else { return false }
            state.descriptors += [client, server]
            return true
        }
        guard isWanted else {
            close(client)
            close(server)
            return
        }
        let pair = Pair(client: client, server: server)
        Thread { [self] in pump(client, server, pair) { false } }.start()
        Thread { [self] in
            pump(server, client, pair) { self.state.withLock(\.losesAnswers) }
        }
        .start()
    }

    /// Two descriptors, which the last user closes.
    private final class Pair: Sendable {
        let client: Int32
        let server: Int32
        private let ends = Mutex(0)

        init(client: Int32, server: Int32) {
            self.client = client
            self.server = server
        }

        func end() -> Bool {
            ends.withLock {
                $0 += 1
                return $0 == 2
            }
        }
    }

    private func pump(
        _ source: Int32, _ sink: Int32, _ pair: Pair, losing: @Sendable () -> Bool
    ) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        reading: while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0 else { break }
            if losing() { continue }
            var sent = 0
            while sent < count {
                let written = buffer.withUnsafeBytes {
                    send(sink, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { break reading }
                sent += written
            }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(sink, Int32(SHUT_RDWR))
        guard pair.end() else { return }
        state.withLock { $0.descriptors.removeAll { [pair.client, pair.server].contains($0) } }
        close(pair.client)
        close(pair.server)
    }
}
