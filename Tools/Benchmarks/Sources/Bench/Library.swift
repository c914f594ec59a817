import AsyncStreamWorkloads
import Measurement
import OpenCombineWorkloads
import VarveWorkloads

/// A library that does the reactive workloads.
enum Library: String, CaseIterable {
  case varve = "Varve"
  case openCombine = "OpenCombine"
  case asyncStream = "AsyncStream"

  /// Its way of doing a plan's work; nil where it has none.
  func workload(_ plan: WorkloadPlan) -> Workload? {
    let all =
      switch self {
      case .varve: VarveWorkloads.all
      case .openCombine: OpenCombineWorkloads.all
      case .asyncStream: AsyncStreamWorkloads.all
      }
    return all.first { $0.plan.id == plan.id }
  }
}
