import Foundation

/// A PostgreSQL server of the tests' own: one cluster a run, made when the first test asks for it
/// and stopped with the process. It takes TLS on 127.0.0.1, with a certificate of its own.
///
/// Roles: `owner` is the superuser that set up Sheaf's tables; `anna`, `ben` and `carla` are
/// ordinary.
package final class PostgresServer: Sendable {
    package let folder: String
    package let port: Int
    private let binaries: String

    /// The server that all tests share. Skips the current test if PostgreSQL is not installed.
    package static func shared() throws -> PostgresServer {
        try Tool.postgresql.require()
        return try started.get()
    }

    private static let started: Result<PostgresServer, any Error> = Result {
        let server = try PostgresServer()
        atexit { PostgresServer.stopShared() }
        return server
    }

    private static func stopShared() {
        if case .success(let server) = started { server.remove() }
    }

    /// The output of a tool that failed.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Makes a cluster and starts it. Skips the current test if PostgreSQL is not installed.
    package convenience init() throws {
        try Tool.postgresql.require()
        guard let binaries = Self.binaries else {
            throw Failure(description: "there is no PostgreSQL server in \(Self.root) or PATH")
        }
        try self.init(binaries)
        try asServer([
            "initdb", "-D", data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
            "--no-sync",
        ])
        try Self.run([
            "openssl", "req", "-new", "-x509", "-days", "2", "-nodes", "-newkey", "ec",
            "-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", "\(data)/server.key", "-out",
            "\(data)/server.crt",
        ])
        try Self.run(["cp", "\(data)/server.crt", certificate])
        try Self.run(["chmod", "644", certificate])
        try Self.run(["chmod", "755", folder])
        if getuid() == 0 {
            try Self.run(["chown", "postgres", "\(data)/server.key", "\(data)/server.crt"])
        }
        try Self.run(["chmod", "600", "\(data)/server.key"])
        try start()
        for role in ["anna", "ben", "carla"] { try sql("CREATE ROLE \(role) LOGIN") }
        try sql("CREATE DATABASE lists")
    }

    /// Makes an empty folder for a cluster.
    private init(_ binaries: String) throws {
        self.binaries = binaries
        folder =
            FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
            + "/sheaf-pg-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        port = try LoopbackListener().port
        if getuid() == 0 { try Self.run(["chown", "postgres", folder]) }
    }

    /// Makes and starts a hot standby of this server.
    package func standby() throws -> PostgresServer {
        let standby = try PostgresServer(binaries)
        try asServer([
            "pg_basebackup", "-h", "127.0.0.1", "-p", "\(port)", "-U", "owner", "-D", standby.data,
            "-R", "-c", "fast",
        ])
        try Self.run(["cp", certificate, standby.certificate])
        try Self.run(["chmod", "755", standby.folder])
        try standby.start()
        return standby
    }

    private var data: String { "\(folder)/data" }
    package var certificate: String { "\(folder)/root.crt" }

    /// The URL by which `role` opens `list`, over TLS, through `port` if that is another one.
    package func url(
        _ role: String, list: String? = nil, port: Int? = nil, in database: String = "lists"
    ) -> String {
        let list = list.map { "&list=\($0)" } ?? ""
        return "postgresql://\(role)@localhost:\(port ?? self.port)/\(database)"
            + "?sslmode=verify-full&sslrootcert=\(certificate)\(list)"
    }

    package func start() throws {
        try asServer([
            "pg_ctl", "-D", data, "-w", "-l", "\(folder)/log", "-o",
            "-k \(folder) -h 127.0.0.1 -p \(port) -c ssl=on -c fsync=off -c max_connections=200",
            "start",
        ])
    }

    /// - Parameter mode: `fast` ends sessions, `immediate` is a crash.
    package func stop(_ mode: String = "immediate") throws {
        try asServer(["pg_ctl", "-D", data, "-w", "-m", mode, "stop"])
    }

    /// Requires `method` of `pg_hba.conf` of `role`, where all others are trusted.
    package func require(_ method: String, of role: String) throws {
        let file = "\(data)/pg_hba.conf"
        try Self.run(["sed", "-i", "1i host all \(role) 127.0.0.1/32 \(method)", file])
        try Self.run(["chown", "--reference=\(data)", file])
        try sql("SELECT pg_reload_conf()")
    }

    /// Runs `sql` as the superuser and returns the output of `psql`, without headings.
    @discardableResult
    package func sql(_ sql: String, as role: String = "owner", in database: String? = nil) throws
        -> String
    {
        let name =
            database
            ?? (sql.hasPrefix("CREATE DATABASE") || sql.hasPrefix("CREATE ROLE")
                ? "postgres" : "lists")
        return try Self.run(psql(role) + ["-t", "-v", "ON_ERROR_STOP=1", "-c", sql, name])
    }

    /// Runs statements in one session and returns the last word of each notice.
    package func notices(of statements: [String], as role: String, in database: String) throws
        -> [String]
    {
        let result = try ChildProcess.runBlocking(
            psql(role) + statements.flatMap { ["-c", $0] } + [database])
        return result.errors.split(separator: "\n").filter { $0.contains("NOTICE:") }
            .compactMap { $0.split(separator: " ").last.map(String.init) }
    }

    private func psql(_ role: String) -> [String] {
        ["\(binaries)/psql", "-h", "127.0.0.1", "-p", "\(port)", "-U", role, "-X", "-q", "-A"]
    }

    /// Stops it for good; one that a test has made for itself.
    package func remove() {
        do {
            try stop()
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            print("cannot remove \(folder): \(error)")
        }
    }

    private func asServer(_ command: [String]) throws {
        let command = ["\(binaries)/\(command[0])"] + command.dropFirst()
        // The server refuses to run as root.
        try Self.runDetached(
            getuid() == 0
                ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] + command
                : command)
    }

    /// Debian's folder of PostgreSQL's versions, which is not in `PATH`.
    private static let root = "/usr/lib/postgresql"

    /// The folder of the server's programs, or nil if there is none.
    static let binaries: String? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let versions = (1...99).reversed().map { "\(root)/\($0)/bin" }
        return (versions + path.split(separator: ":").map(String.init)).first {
            FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
        }
    }()

    /// Runs a tool and returns the text that it prints.
    @discardableResult
    private static func run(_ arguments: [String]) throws -> String {
        let result = try ChildProcess.runBlocking(arguments)
        guard result.status == 0 else {
            throw Failure(description: "\(arguments.joined(separator: " ")): \(result.errors)")
        }
        return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs a tool that leaves a server behind, which keeps no file of the tests open.
    private static func runDetached(_ arguments: [String]) throws {
        let detached = """
            for fd in /proc/$$/fd/*; do
              fd=${fd##*/}
              if [ "$fd" -gt 2 ]; then eval "exec $fd>&-"; fi
            done
            exec "$@"
            """
        try run(["bash", "-c", detached, "bash"] + arguments)
    }
}
