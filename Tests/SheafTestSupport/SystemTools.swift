/// Runs a tool of the system.
///
/// - Returns: true if the tool exists and succeeds.
package func succeeds(_ arguments: String...) -> Bool {
    do {
        return try ChildProcess.runBlocking(arguments).status == 0
    } catch {
        return false
    }
}
