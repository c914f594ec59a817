/// The elements of several sequences, as they come.
func merge<Source: AsyncSequence & Sendable>(
  _ sources: [Source]
) -> AsyncThrowingStream<Source.Element, any Error> where Source.Element: Sendable {
  AsyncThrowingStream { out in
    let pump = Task(name: "merge") {
      do {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for source in sources {
            group.addTask(name: "source") {
              for try await element in source { out.yield(element) }
            }
          }
          try await group.waitForAll()
        }
        out.finish()
      } catch {
        out.finish(throwing: error)
      }
    }
    out.onTermination = { _ in pump.cancel() }
  }
}
