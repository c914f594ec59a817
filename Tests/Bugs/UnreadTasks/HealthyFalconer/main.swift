// Symptom: None; this works. Only what has failed is sent again, and the ticks are at the right
// entries.
// Looks at: the sending of the log ("sync")

import Foundation

let server = MewsServer(busyFor: "Merlin")
let log = FlightLog(server: server)

for bird in ["Kestrel", "Merlin", "Hobby"] { await log.add(Flight(bird: bird, minutes: 12)) }
let sync = Task(name: "sync") { await log.sync() }
try await Task.sleep(for: .milliseconds(15))
await log.add(Flight(bird: "Goshawk", minutes: 30))
await log.remove("Kestrel")
await sync.value

for line in await log.lines { print(line) }
print("the server has \(await server.received.sorted().joined(separator: ", "))")
