internal import VarveFormat
internal import VarveProbe

/// The names that a program gave to some of its tasks.
public enum TaskNames {
  /// Returns the names of tasks, by number; those without a name are left out.
  public static func find(_ tasks: Set<UInt64>, in source: some EventSource) -> [UInt64: String] {
    guard !tasks.isEmpty else { return [:] }
    var selection = Selection()
    selection.kinds = KindSelection([.taskCreated])
    guard
      var query = try? EventQuery(
        selection, in: source, columns: [.kinds, .subscriptions, .payloads])
    else { return [:] }
    let templates = source.definitions.taskTemplates
    var names: [UInt64: String] = [:]
    query.run { page in
      page.forEach { batch, index in
        let task = batch.columns.subscriptions[index]
        guard tasks.contains(task) else { return }
        let made = TaskCreationPayload(word: batch.columns.words[index])
        if let name = templates[made.template]?.name, !name.isEmpty { names[task] = name }
      }
      return true
    }
    return names
  }
}
