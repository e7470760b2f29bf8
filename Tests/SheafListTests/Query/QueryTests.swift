import Testing

@testable import SheafList

@Suite struct QueryTests {
    /// A query in brackets, as it was understood.
    private func understood(_ text: String) throws -> String {
        described(try Query(text))
    }

    private func described(_ query: Query) -> String {
        switch query {
        case .everything: "everything"
        case .term(let term): described(term.kind)
        case .not(let query): "not(\(described(query)))"
        case .and(let queries): "and(\(queries.map(described).joined(separator: " ")))"
        case .or(let queries): "or(\(queries.map(described).joined(separator: " ")))"
        }
    }

    private func described(_ kind: Query.Term.Kind) -> String {
        switch kind {
        case .text(let text, let isWord): "\(isWord ? "word" : "part"):\(text)"
        case .tag(let name): "tag:\(name)"
        case .tagsBelow(let name): "below:\(name)"
        case .state(let state): "is:\(state)"
        case .time(let field, _): "\(field)"
        case .day(let field, let days): "\(field)\(days == nil ? ":none" : "")"
        case .priority(let letters):
            letters.map { "priority:\($0.lowerBound)\($0.upperBound)" } ?? "priority:none"
        case .field(let name, let text): "\(name) part:\(text)"
        case .dated(let state): "is:\(state)"
        }
    }

    @Test(
        "terms and operators are read as in the help",
        arguments: [
            ("", "everything"), ("  \t", "everything"),
            ("milk", "word:milk"), ("oat milk", "and(word:oat word:milk)"),
            ("\"oat  milk\"", "part:oat  milk"), ("\"say \"\"hi\"\"\"", "part:say \"hi\""),
            ("'ilk ^oat milk$ !x", "and(word:'ilk word:^oat word:milk$ word:!x)"),
            ("\"t m\"$", "and(part:t m word:$)"),
            ("#book +Garden @phone", "and(tag:#book tag:+Garden tag:@phone)"),
            ("#\"to read\"", "tag:#to read"),
            ("+House/ #\"to do\"/ #a/b/ x", "and(below:+House below:#to do below:#a/b word:x)"),
            ("#\"House/\" #/ (+a/)", "and(tag:#House/ tag:#/ below:+a)"),
            ("is:done is:open is:untagged is:noted", "and(is:done is:open is:untagged is:noted)"),
            ("created:today changed:2w done:2026-06", "and(created changed done)"),
            ("due:<3d scheduled:none due:fri", "and(due scheduled:none due)"),
            ("(due:\"next mon\"..) a", "and(due word:a)"),
            ("created:\"2026-06\"..\"today\" a", "and(created word:a)"),
            (
                "IS:open Is:Overdue Created:today DUE:fri Priority:a",
                "and(is:open is:overdue created due priority:AA)"
            ),
            (
                "priority:A priority:b..d priority:c.. priority:none",
                "and(priority:AA priority:BD priority:CZ priority:none)"
            ),
            (
                "is:overdue is:scheduled is:repeating",
                "and(is:overdue is:scheduled is:repeating)"
            ),
            ("-milk NOT milk", "and(not(part:milk) not(word:milk))"),
            (
                "-#book -(a OR b) -\"x y\"",
                "and(not(tag:#book) not(or(word:a word:b)) not(part:x y))"
            ),
            ("a OR b c", "or(word:a and(word:b word:c))"),
            ("a AND b OR NOT c AND d", "or(and(word:a word:b) and(not(word:c) word:d))"),
            ("(a OR b) c", "and(or(word:a word:b) word:c)"),
            ("((a))", "word:a"), ("NOT(a)", "not(word:a)"),
            // Brackets that touch are as with a space between.
            ("(x OR a)(b)", "and(or(word:x word:a) word:b)"),
            ("(a)OR(b)", "or(word:a word:b)"), ("(a)AND(b)", "and(word:a word:b)"),
            ("((a)(b)OR c)d", "and(or(and(word:a word:b) word:c) word:d)"),
            ("(f(x)y OR g(x))h", "and(or(word:f(x)y word:g(x)) word:h)"),
            ("(#a)#b", "and(tag:#a tag:#b)"), ("(a)-b", "and(word:a not(part:b))"),
            ("(a)\"b\"", "and(word:a part:b)"), ("a)(b", "word:a)(b"),
        ])
    func readsTerms(text: String, expected: String) throws {
        #expect(try understood(text) == expected)
    }

    @Test(
        "what begins no term is text",
        arguments: [
            ("- ! # + @ ^ ' $", "and(word:- word:! word:# word:+ word:@ word:^ word:' word:$)"),
            ("and or not", "and(word:and word:or word:not)"),
            ("ORANGE ANDY", "and(word:ORANGE word:ANDY)"),
            (":) f(x) a)", "and(word::) word:f(x) word:a))"), ("(f(x))", "word:f(x)"),
            ("http://x.org/a:b C++ 5\"", "and(word:http://x.org/a:b word:C++ word:5\")"),
            ("pri:A Dues:today", "and(word:pri:A word:Dues:today)"),
            ("--flag", "not(part:-flag)"),
        ])
    func leavesText(text: String, expected: String) throws {
        #expect(try understood(text) == expected)
    }

    @Test(
        "what is wrong is told with its place",
        arguments: [
            ("a \"b c", 2..<6, "unclosed"), ("a \"\"", 2..<4, "expected text"),
            ("is:new", 0..<6, "done, open, untagged, noted"),
            ("due:\"fri\"..\"x y\"", 0..<16, "such as today"), ("due:fri..\"x", 9..<11, "unclosed"),
            ("due:soon", 0..<8, "such as today"), ("scheduled:", 0..<10, "such as today"),
            ("a priority:AB", 2..<13, "a letter"), ("priority:C..A", 0..<13, "a letter"),
            ("priority:..", 0..<11, "a letter"), ("priority:", 0..<9, "a letter"),
            ("IS:new", 0..<6, "expected done"), ("Due:soon", 0..<8, "expected dates"),
            ("a done:", 2..<7, "such as today"), ("created:2026-13", 0..<15, "no such date"),
            ("é changed:soon", 3..<15, "such as today"),
            ("a OR", 4..<4, "expected a search term"), ("OR a", 0..<2, "expected a search term"),
            ("a AND", 5..<5, "expected a search term"),
            ("NOT", 3..<3, "expected a search term"), ("(a", 0..<1, "unclosed bracket"),
            ("()", 1..<2, "expected a search term"),
            ("a (b OR) c", 7..<8, "expected a search term"), ("(a))", 3..<4, "unmatched bracket"),
            ("(is:open OR é))", 15..<16, "unmatched bracket"),
        ])
    func tellsWhatIsWrong(text: String, place: Range<Int>, reason: String) {
        let error = #expect(throws: QueryError.self) { try Query(text) }
        #expect(error?.place == place)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test(
        "a text field has a word by a row, and its value may have colons",
        arguments: [
            ("memo:https://x.org/A?b:c", "note part:https://x.org/A?b:c"),
            ("-MEMO:\"a b\" c", "and(not(note part:a b) word:c)"),
            ("memo:10:30", "note part:10:30"),
            ("(memo:a) OR memos:b", "or(note part:a word:memos:b)"),
        ])
    func fieldWords(text: String, expected: String) throws {
        let fields = FieldWord.all + [FieldWord("memo", .text("note"))]
        #expect(described(try Query(text, fields: fields)) == expected)
        #expect(throws: QueryError.self) { try Query("memo:", fields: fields) }
        #expect(try understood("memo:https://x.org") == "word:memo:https://x.org")
    }

    @Test("whatever is pasted is refused rather than taking long")
    func limits() throws {
        let words = Array(repeating: "a", count: 64).joined(separator: " ")
        #expect(try Query(words).terms.count == 64)
        for text in [
            words + " b", String(repeating: "(", count: 100) + "a",
            String(repeating: "NOT ", count: 100) + "a", String(repeating: "x", count: 5_000),
        ] {
            #expect(throws: QueryError.self) { try Query(text) }
        }
    }

    @Test("what is too long is refused from a whole character on")
    func limitsAtCharacters() {
        let text = String(repeating: "日", count: 2_000)
        let error = #expect(throws: QueryError.self) { try Query(text) }
        #expect(error?.place == 4_095..<6_000)
    }

    @Test(
        "a word that begins nearly like a field is text, with a hint",
        arguments: [
            ("prio:A", "prio", "priority"), ("x -Prio:A", "Prio", "priority"),
            ("a sched:fri", "sched", "scheduled"), ("duee:fri", "duee", "due"),
            ("craeted:today", "craeted", "created"), ("it:x", nil, nil), ("10:30", nil, nil),
            ("https://x.org", nil, nil), ("\"prio:A\"", nil, nil),
            ("note:x", nil, nil), ("priority:A due:fri is:open", nil, nil), ("pr:a", nil, nil),
        ] as [(String, String?, String?)])
    func misspellings(text: String, typed: String?, meant: String?) throws {
        let found = try Query(text).misspellings.map(\.reason)
        let expected = zip([typed].compactMap(\.self), [meant].compactMap(\.self)).map {
            "no field \($0); did you mean \($1):? Quotes search for the text"
        }
        #expect(found == expected)
    }
}
