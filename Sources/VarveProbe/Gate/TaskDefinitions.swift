internal import CVarveSystem

// What the code that follows tasks, which is written in C, defines for the recording. Called before
// a record refers to it.

@_cdecl("varve_define_stack")
package func defineStack(_ number: UInt32) { Probe.receiver?.define(stack: number) }

@_cdecl("varve_define_task_template")
package func defineTaskTemplate(_ number: UInt32) {
  guard let template = vv_task_template_at(number)?.pointee else { return }
  let name = withUnsafeBytes(of: template.name) {
    String(decoding: $0.prefix(Int(template.name_bytes)), as: UTF8.self)
  }
  Probe.receiver?.define(
    TaskTemplateDefinition(
      id: number, making: template.making, priority: template.priority, name: name,
      stack: template.stack))
}

@_cdecl("varve_define_scheduler")
package func defineScheduler(_ id: UInt32, _ name: UnsafePointer<CChar>) {
  Probe.receiver?.define(SchedulerDefinition(id: id, name: String(cString: name)))
}
