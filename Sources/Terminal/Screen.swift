/// The screen that a program draws on: a terminal, or none at all in a test.
///
/// Everything happens on the main actor. After ``end()`` the other calls do nothing.
@MainActor
public protocol Screen: AnyObject {
    /// The size to draw for, as of the last ``resize()``.
    var size: Size { get }

    /// Shows `canvas`. Only the difference from the last one is sent; a canvas of another size is
    /// clipped, and the rest of the screen is blank.
    func present(_ canvas: Canvas)

    /// Reads the size of the terminal again, as after SIGWINCH; the next ``present(_:)`` draws
    /// everything.
    func resize()

    /// Makes the next ``present(_:)`` send everything, because the screen may show something else
    /// (`^L`).
    func redraw()

    /// Restores the terminal, to stop or to run another program in it.
    func suspend()

    /// Opens the terminal again after ``suspend()`` and reads its size. The next ``present(_:)``
    /// draws everything.
    func resume()

    /// Turns mouse reports on or off, also for after ``resume()``. Returns true if the terminal
    /// reports the mouse; false if it does not announce that it can.
    @discardableResult
    func setMouse(_ isOn: Bool) -> Bool

    /// Hands `text` to the terminal for the system's clipboard. Takes as long as the terminal needs
    /// for the bytes, up to 100,000: for a key that asks for it, never for a frame.
    func copy(_ text: String) -> Clipboard.Outcome

    /// Rings or flashes, as the user's terminal is set up.
    func bell()

    /// Restores the terminal for good. A second call does nothing.
    func end()
}
