import SheafCore
import Terminal

/// `D`, `gD`, `gR`: a line for a day or a repeat, and below it what is understood.
enum PromptView {
    static func draw(
        _ prompt: ItemPrompt, _ state: AppState, _ layout: Layout, on canvas: inout Canvas
    ) {
        let box = layout.box(
            columns: 48, rows: 4, beside: state.ui.selectedItem.flatMap(state.screenRow))
        let inner = canvas.box(box, title: prompt.field.title)
        Choices.draw(prompt.line, in: inner, on: &canvas)
        guard inner.height > 1 else { return }
        let (words, style) = understood(prompt, state)
        canvas.put(
            DisplayText.truncated(words, to: max(inner.width - 4, 0)),
            at: Point(x: inner.x + 3, y: inner.y + 1), style: style)
    }

    private static func understood(_ prompt: ItemPrompt, _ state: AppState) -> (String, Style) {
        do throws(TypedError) {
            return (try state.words(of: prompt), Theme.dim)
        } catch {
            return (error.reason, Theme.waiting)
        }
    }
}
