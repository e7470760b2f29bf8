import SheafList

/// The words from which demo items are composed.
enum DemoVocabulary {
    /// The text of one item. `tags` holds folded names.
    struct Entry {
        var name: String
        var tags: [String]
        var note = ""
    }

    static let tags: [(name: String, color: TagColor)] = [
        ("book", .blue), ("paper", .cyan), ("film", .magenta), ("recipe", .yellow),
        ("errand", .green), ("home", .white), ("work", .red), ("garden", .green),
        ("music", .magenta),
        ("travel", .cyan), ("learning", .blue), ("someday", .yellow),
    ]

    static func entry(using generator: inout SplitMix64) -> Entry {
        var entry =
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<4: book(&generator)
            case 4..<6: paper(&generator)
            case 6..<8: film(&generator)
            case 8..<11: recipe(&generator)
            case 11..<14: errand(&generator)
            case 14..<17: work(&generator)
            case 17..<18: garden(&generator)
            default: abroad(&generator)
            }
        if chance(7, &generator) { entry.tags.append("someday") }
        // A list in use has some entries that the user has not sorted yet.
        if chance(12, &generator) { entry.tags = [] }
        if chance(6, &generator) { entry.note = pick(notes, &generator) }
        return entry
    }

    private static func book(_ generator: inout SplitMix64) -> Entry {
        let title = "\(pick(bookForms, &generator)) \(pick(subjects, &generator))"
        let author = "\(pick(initials, &generator)). \(pick(surnames, &generator))"
        let part =
            chance(6, &generator) ? ", chapter \(Int.random(in: 1...24, using: &generator))" : ""
        return Entry(name: "\(title) (\(author))\(part)", tags: ["book"])
    }

    private static func paper(_ generator: inout SplitMix64) -> Entry {
        let year = Int.random(in: 1968...2025, using: &generator)
        let topic = pick(topics, &generator)
        return Entry(
            name: "\(pick(surnames, &generator)) \(year): \(pick(paperForms, &generator)) \(topic)",
            tags: ["paper", "learning"])
    }

    private static func film(_ generator: inout SplitMix64) -> Entry {
        let year = Int.random(in: 1927...2024, using: &generator)
        let title = "The \(pick(adjectives, &generator)) \(pick(nouns, &generator))"
        return Entry(name: "\(title) (\(year))", tags: [chance(3, &generator) ? "music" : "film"])
    }

    private static func recipe(_ generator: inout SplitMix64) -> Entry {
        let name = "\(pick(staples, &generator)) with \(pick(additions, &generator))"
        let extra = chance(3, &generator) ? " and \(pick(herbs, &generator))" : ""
        return Entry(name: name + extra, tags: ["recipe"])
    }

    private static func errand(_ generator: inout SplitMix64) -> Entry {
        let name = "\(pick(errandVerbs, &generator)) the \(pick(things, &generator))"
        let count = Int.random(in: 2...12, using: &generator)
        let often = chance(5, &generator) ? " (\(count) of them)" : ""
        return Entry(
            name: name + often, tags: chance(3, &generator) ? ["errand", "home"] : ["errand"])
    }

    private static func work(_ generator: inout SplitMix64) -> Entry {
        let name = "\(pick(workVerbs, &generator)) \(pick(components, &generator))"
        let ticket = Int.random(in: 100...9999, using: &generator)
        return Entry(
            name: "\(name) \(pick(circumstances, &generator)), #\(ticket)", tags: ["work"])
    }

    private static func garden(_ generator: inout SplitMix64) -> Entry {
        let name = "\(pick(gardenVerbs, &generator)) the \(pick(plants, &generator))"
        return Entry(name: name, tags: ["garden", "home"])
    }

    private static func abroad(_ generator: inout SplitMix64) -> Entry {
        let entry = pick(abroad, &generator)
        let count = Int.random(in: 1...99, using: &generator)
        let suffix = chance(2, &generator) ? " \(count)" : ""
        return Entry(name: entry.name + suffix, tags: [entry.tag])
    }

    // MARK: Choosing

    private static func pick<T>(_ values: [T], _ generator: inout SplitMix64) -> T {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }

    /// Returns true with a probability of 1 in `one`.
    private static func chance(_ one: Int, _ generator: inout SplitMix64) -> Bool {
        Int.random(in: 0..<one, using: &generator) == 0
    }

    // MARK: Words

    private static func words(_ text: String) -> [String] {
        text.split(separator: ";").map { String($0.drop(while: \.isWhitespace)) }
    }

    private static let bookForms = words(
        """
        A Short History of; The Art of; Letters on; Against; Notes towards; An Atlas of;
        The Grammar of; In Praise of; A Field Guide to; Elements of; The Secret Life of;
        How to Read; Seven Essays on; Beyond; The Economics of
        """)
    private static let subjects = words(
        """
        Tides; Bread; Compilers; Cartography; Moss; Silence; Typography; Bridges; Glass; Ink;
        Lighthouses; Numbers; Sleep; Clocks; Rivers; Salt; Proofs; Concurrency; Paper;
        Night Trains; Weaving; Small Machines; Winter; Maps
        """)
    private static let initials = words("A;B;C;D;E;F;G;H;I;J;K;L;M;N;O;P;R;S;T;U;V;W;Y;Z")
    private static let surnames = words(
        """
        Okafor; Lindqvist; Moreau; Tanaka; Ferreira; Novák; O'Brien; Haddad; Nguyen; Schäfer;
        Rossi; Kowalska; Petrov; García; Andersson; Yılmaz; Mensah; Castellanos; Dubois; Ivanova;
        Kim; Brandt; Silva; Horvat; Jansen; Sørensen
        """)
    private static let paperForms = words(
        "On; A note on; Revisiting; Towards; The case for; Bounds for; Experience with; A survey of; Limits of"
    )
    private static let topics = words(
        """
        write-ahead logging; order maintenance; persistent trees; garbage collection;
        bounded staleness; text layout; failure detectors; incremental views; linear types;
        consistent hashing; approximate counting; crash recovery; suffix arrays; lock-free queues;
        terminal protocols; fuzzy matching; version vectors; undo in editors
        """)
    private static let adjectives = words(
        "Quiet; Last; Paper; Northern; Borrowed; Invisible; Glass; Seventh; Crooked; Patient; Blue; Forgotten; Long"
    )
    private static let nouns = words(
        "Orchard; Station; Witness; Harbour; Summer; Clockmaker; Letter; Passenger; Winter; Garden; Signal; Tenants"
    )
    private static let staples = words(
        """
        Mushroom risotto; Lentil soup; Roast cauliflower; Flatbread; Buckwheat noodles;
        Potato gratin; Chickpea stew; Baked trout; Onion tart; Fried rice; Barley salad;
        Squash curry; Pickled radish; Oat pancakes; Bean chili
        """)
    private static let additions = words(
        "lemon; tahini; smoked paprika; brown butter; walnuts; miso; preserved lime; ginger; pears; capers; gruyère"
    )
    private static let herbs = words(
        "thyme; dill; coriander; sage; parsley; mint; tarragon; chives; sesame; sumac")
    private static let errandVerbs = words(
        "Return; Pick up; Repair; Replace; Post; Renew; Collect; Sharpen; Measure; Cancel; Order; Compare prices for"
    )
    private static let things = words(
        """
        library books; bicycle tyres; passport photos; kitchen knives; water filter; winter coat;
        door hinge; parcel; bus pass; reading glasses; spare keys; smoke detector; desk lamp;
        coffee grinder; insurance papers; ladder
        """)
    private static let workVerbs = words(
        "Fix; Profile; Document; Review; Remove; Rewrite; Reproduce; Add a test for; Measure; Simplify; Release"
    )
    private static let components = words(
        """
        the importer; the retry loop; date parsing; the login form; the cache; the export;
        the nightly build; paging; the search index; the settings page; the backup job;
        the mail queue; error messages; the resize handler
        """)
    private static let circumstances = words(
        """
        when the disk is full; on slow networks; before the release; for very long names;
        after a crash; on Windows; in right-to-left text; under load; with an empty list;
        when two people edit; without a terminal; on upgrade
        """)
    private static let gardenVerbs = words(
        "Prune; Water; Repot; Mulch; Sow; Harvest; Tie up; Divide; Transplant")
    private static let plants = words(
        "roses; tomatoes; apple tree; basil; beans; hedge; strawberries; lavender; rhubarb; peas; dahlias; fig tree"
    )
    private static let notes = words(
        """
        Ask at the library first.; Recommended twice, by people who disagree about everything else.;
        Costs less in spring.; See the correspondence of last March.;
        Half done: the second part is missing.;
        https://example.org/a/long/address?with=parameters&and=more; Too long for one evening.;
        Due before the holidays.
        """)
    private static let abroad: [(name: String, tag: String)] = [
        ("東京の周遊券を買う", "travel"), ("日本語の文法を復習する 第三章", "learning"),
        ("한국어 단어 외우기", "learning"), ("读《红楼梦》", "book"), ("Crème brûlée à la lavande", "recipe"),
        ("Smørrebrød på rugbrød", "recipe"), ("Дочитать «Мастера и Маргариту»", "book"),
        ("Święta: kupić prezenty", "errand"), ("Ελληνικός καφές", "recipe"),
        ("שירי משוררים", "book"),
        ("قصص قصيرة", "book"), ("हिन्दी वर्णमाला", "learning"), ("👩‍👩‍👧‍👦 family photo album", "home"),
        ("🎻 practise the second movement", "music"), ("🇨🇭 Bahnpass erneuern", "travel"),
        ("Zażółć gęślą jaźń", "learning"), ("Phở bò với rau thơm", "recipe"),
        ("Ünal'a mektup yaz", "errand"),
        ("São Paulo: reservar hotel", "travel"), ("❤️ call grandmother", "home"),
    ]
}
