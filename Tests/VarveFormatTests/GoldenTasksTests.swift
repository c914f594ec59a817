import Foundation
import Testing
import VarveFormat
import VarveProbe

/// Tasks, in files of today and of before.
@Suite("Tasks in files")
struct GoldenTasksTests {
  private static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/\(name)").path
  }

  private func expectGolden(_ path: String) throws {
    let golden = GoldenTasks()
    let reader = try TraceReader(path: path)
    #expect(reader.header.version >= TraceVersion(major: 1, minor: 4))
    #expect(reader.warnings == [] && reader.damage.isEmpty)
    #expect(try reader.verify() == [])
    #expect(reader.readableBlocks() == [try golden.records.columns(ring: 1)])
    var defined = TraceDefinitions()
    for definition in golden.definitions { defined.insert(definition) }
    #expect(reader.definitions.taskTemplates == defined.taskTemplates)
    #expect(reader.definitions.stacks == defined.stacks)
  }

  @Test("F1: the file that the first version with tasks wrote says today what it said then")
  func golden() throws { try expectGolden(Self.path("format-1.4.varve")) }

  @Test("F1: what is written today says the same of tasks")
  func today() throws {
    let folder = try TraceFolder()
    try GoldenTasks().write(to: folder.path())
    try expectGolden(folder.path())
  }

  @Test("F1: merged traces keep the tasks of two processes apart, with their places and parents")
  func merged() throws {
    let folder = try TraceFolder()
    var golden = GoldenTasks()
    for (name, pid) in [("a.varve", 7), ("b.varve", 8)] as [(String, UInt32)] {
      golden.header.id = .random()
      golden.header.process.pid = pid
      try golden.write(to: folder.path(name))
    }
    let readers = try ["a.varve", "b.varve"].map { try TraceReader(path: folder.path($0)) }
    try TraceMerge.write(readers, to: folder.path("merged.varve"))
    let merged = try TraceReader(path: folder.path("merged.varve"))
    let all = TaskMaking.allCases.count
    var created: [UInt64: TaskCreationPayload] = [:]
    var ran: Set<UInt64> = []
    var awaited: Set<UInt64> = []
    for block in merged.readableBlocks() {
      for index in 0..<block.count {
        let word = block.words[index]
        switch PayloadKind(rawValue: block.payloadKinds[index]) {
        case .made: created[block.subscriptions[index]] = TaskCreationPayload(word: word)
        case .task: ran.insert(TaskRunPayload(word: word).task)
        case .awaited:
          let payload = TaskAwaitPayload(word: word)
          #expect(payload.stack == 0 || merged.definitions.stacks[payload.stack] != nil)
          if payload.awaited == TaskAwait.executor.rawValue {
            #expect(merged.definitions.schedulers[UInt32(payload.number)] != nil)
          }
          if payload.awaited == TaskAwait.task.rawValue { awaited.insert(payload.number) }
        default: break
        }
      }
    }
    #expect(created.count == 2 * all && ran == Set(created.keys) && awaited.count == 2 * all)
    for (task, made) in created {
      let template = try #require(merged.definitions.taskTemplates[made.template])
      #expect(template.stack == 0 || merged.definitions.stacks[template.stack] != nil)
      #expect(template.making == 0 ? made.creator == 0 : created[made.creator] != nil)
      #expect(made.creator < task)
    }
  }
}
