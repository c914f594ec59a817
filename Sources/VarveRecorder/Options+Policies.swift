internal import CVarveSystem

extension Recorder.Options {
  /// The policy as the rings know it.
  var slotPolicy: vv_policy {
    switch policy.kind {
    case .drop: vv_policy_drop
    case .block: vv_policy_block
    case .keepLast: vv_policy_overwrite
    }
  }

  /// The policy of the log of definitions, which are not dropped as records are. Nobody waits for a
  /// disk that hangs who has not asked for it.
  var logPolicy: vv_policy { policy == .block ? vv_policy_block : vv_policy_hesitate }
}
