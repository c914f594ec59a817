import Testing
import Varve

@Suite("Docs/Tasks.md") struct TasksExamples {
  @Test("Tasks are asked for by an option, which is off unless it is set")
  func own() {
    #expect(!Recorder.Options().recordsTasks && !Recorder.Options.debugging.recordsTasks)
    // What it does is run by the tests of the recorder, in a program that links the product.
    let _: () throws -> Void = recordTasks
  }

  private func recordTasks() throws {
    // example
    var options = Recorder.Options.debugging
    options.recordsTasks = true
    try Recorder.start(to: "app.varve", options: options)
    // end
  }
}
