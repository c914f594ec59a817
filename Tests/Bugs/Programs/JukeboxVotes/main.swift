// Symptom: Guests vote for songs all evening. As soon as someone opens the top list, the next vote
// freezes the jukebox.
// Looks at: the votes ("votes")

import Foundation
import Varve

struct Song: Hashable {
  let title: String
}

/// Guests vote from their phones, therefore from any thread.
final class Ballot: @unchecked Sendable {
  let votes: Signal<Song, Never>
  private let input: Signal<Song, Never>.Observer
  private var counts: [Song: Int] = [:]
  private let lock = NSLock()

  init() {
    (votes, input) = Signal.pipe(named: "votes")
  }

  func vote(for song: Song) {
    lock.lock()
    defer { lock.unlock() }
    counts[song, default: 0] += 1
    input.send(value: song)  // culprit
  }

  func ranking() -> [(song: Song, count: Int)] {
    lock.lock()
    defer { lock.unlock() }
    return counts.map { (song: $0.key, count: $0.value) }.sorted { $0.count > $1.count }
  }
}

final class NowVoting {
  let banner: Property<String>

  init(_ ballot: Ballot) {
    banner = Property(initial: "Vote!", then: ballot.votes.map { "A vote for \($0.title)" })
  }
}

final class TopList {
  let lines = MutableProperty<[String]>([])

  init(_ ballot: Ballot) {
    lines
      <~ ballot.votes.map { _ in
        ballot.ranking().prefix(3).map { "\($0.count) \($0.song.title)" }
      }
  }
}

let ballot = Ballot()
let voting = NowVoting(ballot)
voting.banner.signal.observeValues { print($0) }

let songs = ["Waterloo", "Heroes", "Hurt"].map(Song.init)
for turn in 0..<6 {
  ballot.vote(for: songs[turn * turn % 3])
  Thread.sleep(forTimeInterval: 0.02)
}
print("someone opens the top list")
let top = TopList(ballot)
for song in songs {
  ballot.vote(for: song)
  print(top.lines.value)
}
