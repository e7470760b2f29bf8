import SheafCore
import SheafStorage

extension RescueFile {
    /// Writes a rescue file of the list at `place` as earlier versions did, and returns its path.
    public static func write(_ changes: StorageChanges, of place: FilePlace) throws -> String {
        guard let folder = place.state else {
            throw StorageError(.cannotOpen, at: "", reason: "there is no home folder")
        }
        var moment = Timestamp.now
        while folder.contains(name(moment, of: place)) { moment = moment.next }
        try folder.write(text(changes, of: place.resolved), to: name(moment, of: place))
        return "\(folder.path)/\(name(moment, of: place))"
    }

    private static func name(_ moment: Timestamp, of place: FilePlace) -> String {
        "\(prefix(of: place))\(moment.milliseconds)-1.json"
    }
}
