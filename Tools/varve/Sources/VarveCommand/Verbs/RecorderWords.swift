/// The words of `VARVE_OPTIONS`, for the help and the manual. `Docs/Recording.md` says what each
/// costs.
enum RecorderWords {
  static let all: [(word: String, meaning: String)] = [
    ("absorption=no", "not why values were swallowed"),
    ("stacks=no", "no stacks, and no senders"),
    ("senders=no", "not the code that sends from outside the library"),
    ("reads=no", "not the reads of properties"),
    ("crashes=no", "no handler that marks crashes"),
    ("preset=light", "none of the first four"),
    ("preset=production", "none of them, and only the types of values, no arguments, no host"),
    ("preset=debugging", "all of them: the default"),
    ("values=types", "only the types of values without a compact form"),
    ("values=names", "only the types of all values; none: nothing of them"),
    ("private=*pass*", "nothing of the values of these streams"),
    ("typed=user*", "only the types of the values of these streams"),
    ("arguments=no", "not the program's arguments"),
    ("host=no", "not the host's name"),
    ("streams=named", "only streams that the program has named"),
    ("include=login*", "only streams of this name; as often as needed"),
    ("exclude=tick*", "no streams of this name; as often as needed"),
    ("sample=mouse*:100", "one value in so many of these streams"),
    ("policy=block", "a thread without room waits; drop: the event is lost and counted"),
    ("keep=64M", "keep only the end of the recording; or a time, keep=30s"),
    ("first=1M", "with keep: the beginning, too"),
    ("rotate=64M", "go on in another file; or after a time, rotate=10m"),
    ("files=5", "with rotate: keep so many finished files"),
    ("snapshot=USR2", "save a snapshot at a signal; failed:login*, absorbed:repeated: then"),
    ("ring=1M", "memory for each thread"),
  ]

  /// A line for each word.
  static var list: String {
    let width = all.map { $0.word.count }.max() ?? 0
    return all.map { word, meaning in
      "  \(word)\(String(repeating: " ", count: width - word.count))  \(meaning)"
    }.joined(separator: "\n")
  }
}
