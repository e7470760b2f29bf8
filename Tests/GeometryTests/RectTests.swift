import Geometry
import Testing

@Suite struct RectTests {
    @Test("insets and intersections never fall below nothing")
    func insets() {
        let rect = Rect(x: 1, y: 1, width: 4, height: 3)
        #expect(rect.inset() == Rect(x: 2, y: 2, width: 2, height: 1))
        #expect(rect.inset(by: 2).isEmpty)
        #expect(rect.inset(left: 1, bottom: 2) == Rect(x: 2, y: 1, width: 3, height: 1))
        let corner = rect.intersection(Rect(x: 3, y: 0, width: 9, height: 2))
        #expect(corner == Rect(x: 3, y: 1, width: 2, height: 1))
        #expect(rect.intersection(Rect(x: 5, y: 1, width: 1, height: 1)).isEmpty)
        #expect(rect.contains(Point(x: 4, y: 3)))
        #expect(!rect.contains(Point(x: 5, y: 3)))
    }
}
