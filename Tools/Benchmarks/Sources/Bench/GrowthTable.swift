import Measurement
import VarveWorkloads

/// What becomes of an event's cost when there are more observers, stages and other streams.
enum GrowthTable {
  private static let sizes = [1, 10, 100, 1_000]

  static func run(_ options: Options, into report: inout Report) {
    guard options.wants("growth") else { return }
    func medians(_ measure: (Int) -> Double) -> [Double] {
      sizes.map { size in (0..<options.rounds).map { _ in measure(size) }.median }
    }
    let row = Report.Growth(
      sizes: sizes,
      deliveryByObserversNs: medians { GrowthWorkload.delivery(observers: $0) },
      stageByStagesNs: medians { GrowthWorkload.stage(stages: $0) },
      rejectionByStagesNs: medians { GrowthWorkload.rejection(stages: $0) },
      eventByOtherStreamsNs: medians { GrowthWorkload.event(otherStreams: $0) })
    report.growth = row
    func show(_ title: String, _ costs: [Double]) {
      Table.row(title, costs.map { Table.number($0) })
    }
    Table.heading("CPU ns, as there are more", sizes.map { "\($0)" })
    show("a delivery, by observers", row.deliveryByObserversNs)
    show("a stage, by stages", row.stageByStagesNs)
    show("an event rejected before, by stages", row.rejectionByStagesNs)
    show("an event, by other live streams", row.eventByOtherStreamsNs)
  }
}
