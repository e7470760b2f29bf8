import Foundation

/// A PostgreSQL server of the tests' own: one cluster a run, made when the first test asks for it
/// and stopped with the process. It takes TLS on 127.0.0.1, with a certificate of its own.
///
/// Roles: `owner` is the superuser that set up Sheaf's tables; `anna`, `ben` and `carla` are
/// ordinary.
public final class PostgresServer: Sendable {
    public let folder: String
    public let port: Int
    private let binaries: String

    /// The server, or why there is none.
    public static let shared: Result<PostgresServer, any Error> = Result {
        let server = try PostgresServer()
        atexit { PostgresServer.stopShared() }
        return server
    }

    private static func stopShared() {
        if case .success(let server) = shared { server.remove() }
    }

    /// What a tool that did not succeed said.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Makes a cluster and starts it.
    public init() throws {
        binaries = try Self.findBinaries()
        folder =
            FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
            + "/sheaf-pg-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        port = try LoopbackListener().port
        if getuid() == 0 { try Self.run(["chown", "postgres", folder]) }
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

    private var data: String { "\(folder)/data" }
    public var certificate: String { "\(folder)/root.crt" }

    /// The URL by which `role` opens `list`, over TLS, through `port` if that is another one.
    public func url(
        _ role: String, list: String? = nil, port: Int? = nil, in database: String = "lists"
    ) -> String {
        let list = list.map { "&list=\($0)" } ?? ""
        return "postgresql://\(role)@localhost:\(port ?? self.port)/\(database)"
            + "?sslmode=verify-full&sslrootcert=\(certificate)\(list)"
    }

    public func start() throws {
        try asServer([
            "pg_ctl", "-D", data, "-w", "-l", "\(folder)/log", "-o",
            "-k \(folder) -h 127.0.0.1 -p \(port) -c ssl=on -c fsync=off -c max_connections=200",
            "start",
        ])
    }

    /// - Parameter mode: `fast` ends sessions, `immediate` is a crash.
    public func stop(_ mode: String = "immediate") throws {
        try asServer(["pg_ctl", "-D", data, "-w", "-m", mode, "stop"])
    }

    /// Asks `role` for what `method` of `pg_hba.conf` asks for, where all others are trusted.
    public func require(_ method: String, of role: String) throws {
        let file = "\(data)/pg_hba.conf"
        try Self.run(["sed", "-i", "1i host all \(role) 127.0.0.1/32 \(method)", file])
        try Self.run(["chown", "--reference=\(data)", file])
        try sql("SELECT pg_reload_conf()")
    }

    /// Runs `sql` as the superuser and returns what `psql` prints, without headings.
    @discardableResult
    public func sql(_ sql: String, as role: String = "owner", in database: String? = nil) throws
        -> String
    {
        let name =
            database
            ?? (sql.hasPrefix("CREATE DATABASE") || sql.hasPrefix("CREATE ROLE")
                ? "postgres" : "lists")
        return try Self.run([
            "\(binaries)/psql", "-h", "127.0.0.1", "-p", "\(port)", "-U", role, "-X", "-q", "-A",
            "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, name,
        ])
    }

    /// Stops it for good; one that a test has made for itself.
    public func remove() {
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
        try Self.run(
            getuid() == 0
                ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] + command
                : command)
    }

    private static func findBinaries() throws -> String {
        // Debian keeps them out of PATH.
        let root = "/usr/lib/postgresql"
        let files = FileManager.default
        if files.fileExists(atPath: root),
            let newest = try files.contentsOfDirectory(atPath: root).compactMap(Int.init).max()
        {
            return "\(root)/\(newest)/bin"
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init)
        guard let found = folders.first(where: { files.isExecutableFile(atPath: "\($0)/initdb") })
        else {
            throw Failure(description: "there is no server in \(root) or PATH")
        }
        return found
    }

    /// Runs a tool and returns what it prints. Not by `Process`, which waits for a server too that
    /// the tool leaves behind.
    @discardableResult
    private static func run(_ arguments: [String]) throws -> String {
        let output = FileManager.default.temporaryDirectory.path + "/sheaf-run-\(UUID().uuidString)"
        defer { unlink(output) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // A server that is left behind keeps no file of ours open, nor a folder that its user may
        // not look into.
        let detached = """
            cd /
            for fd in /proc/$$/fd/*; do
              fd=${fd##*/}
              if [ "$fd" -gt 2 ]; then eval "exec $fd>&-"; fi
            done
            exec "$@"
            """
        let words = (["bash", "-c", detached, "bash"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let problem = posix_spawnp(&process, "bash", &actions, nil, words, environ)
        guard problem == 0 else {
            throw Failure(description: "\(arguments[0]): \(String(cString: strerror(problem)))")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let text = String(
            decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self)
        guard status == 0 else {
            throw Failure(description: "\(arguments.joined(separator: " ")): \(text)")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
