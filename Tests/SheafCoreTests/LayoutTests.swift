import SheafCore
import Testing

@Suite struct LayoutTests {
    @Test("what has no size is laid out as one cell of the list", arguments: [0, -3, 1])
    func leastSize(columns: Int) {
        let layout = Layout(size: Size(columns: columns, rows: columns), focus: .items)
        let cell = Rect(x: 0, y: 0, width: 1, height: 1)
        #expect(layout.size == cell.size)
        #expect(layout.items?.rows == cell)
        #expect(layout.header == nil && layout.status == nil && layout.tags == nil)
    }
}
