/// The versions of all formats that store fields, at each step of their history.
///
/// A program that writes data loses the fields that it does not know, so programs refuse newer
/// versions. A new field is therefore a new step, which raises the version of the tables, of logs
/// and of servers. JSON keeps unknown members as extras, so its version rises only if an earlier
/// program would still lose data. A test compares the steps with the migrations and the fields.
package struct FormatVersions: Sendable {
    /// The version of the SQLite tables: the number of migrations.
    package let tables: Int64
    /// The version of intent logs. A program reads only its own version.
    package let logs: Int64
    /// The version of the JSON store form.
    package let json: Int
    /// The version of a server's tables, of the functions that a client calls, and of the list of
    /// fields.
    package let server: Int
    /// The fields of items that are new in these tables, by the keys of the extras that stored them
    /// before.
    var fields: KeyValuePairs<String, String> = [:]
    /// True for the step that restores tags that imports had removed from names; see
    /// ``Item/nameInKeptLine(tags:calendar:)``.
    var restoresNames = false

    /// All steps. A step without fields changes something else in a format.
    package static let all = [
        Self(tables: 1, logs: 1, json: 1, server: 0),
        // Saved views.
        Self(tables: 3, logs: 2, json: 1, server: 0),
        // Programs with JSON version 1 would treat days and priorities as extras, and create no
        // next occurrence of a completed item.
        Self(
            tables: 4, logs: 3, json: 2, server: 1,
            fields: ["pri": "priority", "due": "due", "t": "scheduled", "rec": "repeat"]),
        // Logs name their list, and clients of a server read through functions.
        Self(tables: 4, logs: 7, json: 2, server: 2),
        // Logs record the commits that were begun on a server, and the address of the server.
        Self(tables: 4, logs: 8, json: 2, server: 2),
        // A commit that deletes a tag is refused if another client has put the tag on a row.
        Self(tables: 4, logs: 8, json: 2, server: 3),
        // Names contain the tags within their sentences. The version of a JSON text shows whether
        // its names were restored.
        Self(tables: 5, logs: 8, json: 3, server: 4, restoresNames: true),
    ]

    /// The versions that the program writes.
    package static let current = all[all.count - 1]

    /// The first versions whose names contain the tags within their sentences.
    package static let namesRestored = all.first { $0.restoresNames } ?? current
}
