// Symptom: None. The chart gets at most a point every 40 ms, and the warning follows the readings.
// Looks at: chart (the points of the chart), warning (the text above)
import Foundation
import Varve

struct Reading: Equatable {
  let millimetres: Int
  let isReliable: Bool
}

final class DistanceSensor {
  private let bus = QueueScheduler(name: "bus")

  func readings(_ count: Int) -> SignalProducer<Reading, Never> {
    SignalProducer.interval(0..<count, interval: .milliseconds(8), on: bus)
      .map { Reading(millimetres: 400 - 9 * $0, isReliable: !$0.isMultiple(of: 7)) }
  }
}

final class Dashboard {
  let latest = MutableProperty<Reading?>(nil)
  let chart: Property<[Int]>
  let warning: Property<String>

  init(_ sensor: DistanceSensor, on interface: any TimedScheduler) {
    latest <~ sensor.readings(40).filter { $0.isReliable }.map { $0 as Reading? }
    let distances = latest.producer.skipNil().map { $0.millimetres }
    chart = Property(
      initial: [],
      then: distances.throttle(.milliseconds(40), on: interface).scan([]) { $0 + [$1] })
    warning = Property(
      initial: "",
      then: distances.map { $0 < 200 ? "too close" : "" }.skipRepeats().observe(on: interface))
  }
}

let dashboard = Dashboard(DistanceSensor(), on: QueueScheduler(name: "interface"))
dashboard.chart.signal.named("chart").observeValues {
  print("\($0.count) points, \($0.last ?? 0) mm")
}
dashboard.warning.signal.named("warning").observeValues { print("warning: '\($0)'") }
Thread.sleep(forTimeInterval: 0.7)
