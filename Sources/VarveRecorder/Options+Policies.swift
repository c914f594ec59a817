internal import CVarveSystem

extension Recorder.Options {
  /// The policy as rings represent it.
  var slotPolicy: vv_policy {
    switch policy.kind {
    case .drop: vv_policy_drop
    case .block: vv_policy_block
    case .keepLast: vv_policy_overwrite
    }
  }

  /// The policy of the log of definitions, which are not dropped like records. A thread waits for a
  /// hanging disk only if the program has asked for it.
  var logPolicy: vv_policy { policy == .block ? vv_policy_block : vv_policy_hesitate }
}
