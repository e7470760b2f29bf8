import SheafStorage
import Testing

@testable import SheafPostgres

@Suite("URLs of lists on a server")
struct PostgresURLTests {
    private func url(_ text: String, _ environment: [String: String] = [:]) throws -> PostgresURL {
        try PostgresURL(text, environment: environment)
    }

    @Test(
        "a password is refused in every form, and not repeated",
        arguments: [
            "postgresql://anna:sEcret@h/db?list=a", "postgres://anna:sEcret@h/db",
            "postgresql://anna:@h/db?list=sEcret", "POSTGRESQL://anna:sEcret@h/db",
            "postgresql://h/db?password=sEcret", "postgresql://h/db?list=a&password=sEcret",
            "postgresql://h/db?p%61ssword=sEcret", "postgresql://h/db?PassWord=sEcret",
            "postgresql://h/db?sslpassword=sEcret", "postgresql://h/db?scram_client_key=sEcret",
            "postgresql://anna:s/Ecret@h/db", "postgresql://anna:1/sEcret@h/db",
            "postgresql://anna:sE?cret@h/db", "postgresql://h/db?sEcret",
            "postgresql://h/db?user=%zzsEcret", "postgresql://anna:sEcret@h /db",
            "postgresql://anna:a@sEcret@h/db",
        ])
    func passwords(_ text: String) throws {
        let error = #expect(throws: StoreURLError.self) { try url(text) }
        let description = try #require(error).description
        #expect(!description.contains("cret"))
        #expect(!description.contains("anna"))
    }

    @Test("a password is refused with the way to ~/.pgpass")
    func advice() throws {
        let error = #expect(throws: StoreURLError.self) { try url("postgresql://a:b@h/db") }
        #expect(error?.description.contains("~/.pgpass") == true)
    }

    @Test(
        "the list is what list= says, and libpq is not told of it",
        arguments: [
            ("postgresql://h/db?list=home", "home", "postgresql://h/db"),
            ("postgresql://h/db?list=anna/home&sslmode=require", "anna/home", "?sslmode=require"),
            ("postgresql://h/db?sslmode=require&list=a%20%C3%A9", "a é", "?sslmode=require"),
            ("postgresql://h/db?l%69st=home", "home", "postgresql://h/db"),
            ("postgresql://h/db?list=%00", nil, nil), ("postgresql://h/db?list=", nil, nil),
            ("postgresql://h/db?list=%ff", nil, nil),
            ("postgresql://h/db?list=a&list=b", nil, nil),
        ] as [(String, String?, String?)])
    func lists(_ text: String, _ list: String?, _ end: String?) throws {
        guard let list, let end else {
            #expect(throws: StoreURLError.self) { try self.url(text) }
            return
        }
        let url = try url(text)
        #expect(url.list == list)
        #expect(url.connection.hasSuffix(end))
        #expect(try self.url(url.naming(list: list)).list == list)
    }

    @Test("a URL without list= names none")
    func noList() throws { #expect(try url("postgresql:///lists").list == nil) }

    @Test("spellings that reach one list in other ways are one list")
    func identity() throws {
        let base = try url("postgresql://anna@h/db?list=home").identity
        let same = try url("postgresql://anna@h/db?sslmode=require&list=home").identity
        #expect(same == base)
        for other in [
            "postgresql://ben@h/db?list=home", "postgresql://anna@h/db?list=other",
            "postgresql://anna@h/db?port=1&list=home", "postgresql://anna@h2/db?list=home",
        ] {
            #expect(try url(other).identity != base)
        }
    }

    @Test("its title has the list and the host")
    func title() throws {
        #expect(try url("postgresql://anna@h:1/db?list=ben/home").title(of: nil) == "home on h")
        #expect(try url("postgresql:///db?list=home").title(of: nil) == "home on this machine")
    }

    @Test("a URL of several hosts is known as such")
    func hosts() throws {
        let url = try url("postgresql://a:1,b:2/db?list=home")
        #expect(url.hasSeveralHosts)
        #expect(url.host == "a")
    }
}
