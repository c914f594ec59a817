// Symptom: I drag the end of my route across the map. The line on the map sometimes leads to where
// my finger was before, not to where it is now.
// Looks at: route (the line on the map)
import Foundation
import Varve

struct Point: Equatable, CustomStringConvertible {
  let x: Int
  let y: Int
  var description: String { "\(x)/\(y)" }
}

struct Route: CustomStringConvertible {
  let end: Point
  let legs: Int
  var description: String { "to \(end) in \(legs) legs" }
}

final class Router: Sendable {
  private let workers = (0..<3).map { QueueScheduler(name: "router \($0)") }

  /// Routes through the old town have many legs, and take their time.
  func route(from start: Point, to end: Point) -> SignalProducer<Route, Never> {
    let legs = abs(end.x - start.x) + abs(end.y - start.y)
    let worker = workers[end.x % workers.count]
    return SignalProducer(value: Route(end: end, legs: legs))
      .delay(.milliseconds(10 * legs), on: worker)
  }
}

final class RouteModel {
  let start = MutableProperty(Point(x: 0, y: 0))
  let end = MutableProperty(Point(x: 0, y: 0))
  let route = MutableProperty<Route?>(nil)

  init(_ router: Router, on interface: any Scheduler) {
    route
      <~ start.producer.combineLatest(with: end.producer)
      .filter { $0 != $1 }
      .map { router.route(from: $0, to: $1) }
      .flatten(.merge)  // culprit
      .observe(on: interface)
      .map { $0 as Route? }
  }
}

let model = RouteModel(Router(), on: QueueScheduler(name: "interface"))
model.route.signal.skipNil().named("route").observeValues { print($0) }

for end in [Point(x: 2, y: 1), Point(x: 9, y: 9), Point(x: 4, y: 4), Point(x: 3, y: 1)] {
  model.end.value = end
  Thread.sleep(forTimeInterval: 0.06)
}
Thread.sleep(forTimeInterval: 0.3)
print(
  "finger at \(model.end.value), line \(model.route.value.map(String.init(describing:)) ?? "none")")
