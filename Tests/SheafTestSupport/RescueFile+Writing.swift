import SheafCore
import SheafStorage

extension RescueFile {
    /// Writes a rescue file of the list that has this home as earlier versions did, and returns its
    /// path.
    public static func write(_ changes: StorageChanges, of home: ListHome) throws -> String {
        guard let folder = home.state else {
            throw StorageError(.cannotOpen, at: "", reason: "there is no home folder")
        }
        var moment = Timestamp.now
        while folder.contains(name(moment, of: home)) { moment = moment.next }
        try folder.write(text(changes, of: home.origin), to: name(moment, of: home))
        return "\(folder.path)/\(name(moment, of: home))"
    }

    private static func name(_ moment: Timestamp, of home: ListHome) -> String {
        "\(prefix(of: home))\(moment.milliseconds)-1.json"
    }
}
