// Symptom: The page says that the backup runs each night. My phone was stolen, and there is not one
// photo in the backup.
// Looks at: backup (what the server has got)
import Foundation
import Varve

final class BackupServer: Sendable {
  let backup = MutableProperty<[String]>([])
  private let network = QueueScheduler(name: "backup")

  func put(_ photo: String) -> SignalProducer<String, Never> {
    SignalProducer { [backup] in
      backup.modify { $0.append(photo) }
      return photo
    }
    .start(on: network)
  }
}

final class BackupService {
  let status = MutableProperty("never")
  let remaining = MutableProperty(0)
  private let server: BackupServer
  private var job: SignalProducer<String, Never>?

  init(_ server: BackupServer) { self.server = server }

  func backUp(_ photos: [String]) {
    status.value = "running: \(photos.count) photos"
    remaining.value = photos.count
    job = upload(photos).on(value: { [remaining] _ in remaining.modify { $0 -= 1 } })  // culprit
  }

  func cancel() {
    job = nil
    status.value = "cancelled"
  }

  private func upload(_ photos: [String]) -> SignalProducer<String, Never> {
    SignalProducer(photos).flatMap(.concurrent(limit: 2)) { [server] in server.put($0) }
  }
}

let server = BackupServer()
server.backup.signal.named("backup").observeValues { print("server: \($0.last ?? "")") }
let service = BackupService(server)
service.status.signal.observeValues { print("status: \($0)") }
for night in 1...3 {
  service.backUp((1...4).map { "photo \(night)-\($0)" })
  Thread.sleep(forTimeInterval: 0.08)
  print("to do: \(service.remaining.value), in the backup: \(server.backup.value.count)")
}
