/// A screen that a program draws on: a terminal, or a headless screen in tests.
///
/// All calls are on the main actor. After ``end()`` the other calls do nothing.
@MainActor
package protocol Screen: AnyObject {
    /// The size to draw for, as of the last ``resize()``.
    var size: Size { get }

    /// Shows `canvas`. Only the difference from the last canvas is sent. A canvas of another size
    /// is clipped, and the rest of the screen is blank.
    func present(_ canvas: Canvas)

    /// Reads the size of the terminal again, for example after SIGWINCH. The next ``present(_:)``
    /// draws everything.
    func resize()

    /// Makes the next ``present(_:)`` send everything, because the screen may show something else
    /// (`^L`).
    func redraw()

    /// Restores the terminal before the process stops or runs another program in it.
    func suspend()

    /// Reopens the terminal after ``suspend()`` and reads its size again. The next ``present(_:)``
    /// draws everything.
    func resume()

    /// Turns mouse reports on or off. The setting also applies after ``resume()``. Returns true if
    /// the terminal reports the mouse, and false if its description declares no mouse.
    @discardableResult
    func setMouse(_ isOn: Bool) -> Bool

    /// Sends `text` to the terminal for the system clipboard. Blocks until the terminal has
    /// accepted the bytes, up to 100,000, so call it only for a key that requests it, never for a
    /// frame.
    func copy(_ text: String) -> Clipboard.Outcome

    /// Rings or flashes, depending on the user's terminal settings.
    func bell()

    /// Restores the terminal permanently. A second call does nothing.
    func end()
}
