import Foundation
import SheafTestSupport

/// Answers a number of times as a PostgreSQL server in recovery, and then ends.
final class RecoveringServer {
    let port: Int

    init(answers: Int) throws {
        let listener = try LoopbackListener()
        port = listener.port
        Thread.detachNewThread {
            for _ in 0..<answers { listener.accept().map(Self.answer) }
            listener.end()
        }
    }

    /// Reads the client's first message, and refuses it in the words of protocol 3.0.
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
