// Symptom: My command-line tool looks up a dozen names "at the same time", but the more names I
// give it, the longer I wait: it takes as long as one after the other.
// Looks at: the sweep ("sweep")

import Foundation

let names = [
  "api", "auth", "billing", "cdn", "docs", "edge", "git", "img", "mail", "ns1", "status", "www",
].map { $0 + ".example.org" }

let start = ContinuousClock.now
let sweep = Task(name: "sweep") {
  await Sweeper(resolver: RemoteResolver(delay: .milliseconds(50))).lookUp(names)
}
let answers = await sweep.value
let took = start.duration(to: .now)

for answer in answers.sorted(by: { $0.name < $1.name }) {
  print(answer.name, answer.address)
}
print("\(answers.count) names in \(took.formatted(.units(allowed: [.milliseconds])))")
