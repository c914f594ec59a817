internal import VarveAnalysis
internal import VarveFormat

/// The words for the place most worth reading: the line of the program, a sentence, and the evidence.
struct TellingText {
  let place: String?
  let sentence: String
  let event: EventName?
  let weight: Int

  /// Returns the words for a choice; nil if there was nothing to choose from. Of what was found in the whole
  /// trace, an answer that leads to the same place tells more.
  static func of(_ telling: TellingStep, _ words: TraceWords, _ lookup: EventLookup) -> Self? {
    guard let choice = telling.choice else { return nil }
    let chosen = Self(choice, words, lookup)
    guard let nearest = telling.nearest.map({ Self($0, words, lookup) }),
      nearest.place == chosen.place
    else { return chosen }
    return nearest
  }

  private init(_ choice: TellingStep.Choice, _ words: TraceWords, _ lookup: EventLookup) {
    switch choice {
    case .decision(let decision):
      let text = DecisionText(words, lookup: lookup)
      (place, sentence) = (text.place(of: decision), text.sentence(decision))
      (event, weight) = (decision.event.name, decision.weight)
    case .stop(let stop):
      let text = StopText(words, lookup: lookup)
      (place, sentence) = (text.place(of: stop), text.sentence(stop))
      (event, weight) = (stop.moment?.name ?? stop.examples.first, stop.weight)
    case .finding(let finding):
      let text = FindingText(words, lookup: lookup)
      (place, sentence) = (text.place(finding), text.sentence(finding))
      (event, weight) = (finding.evidence.first, finding.weight)
    }
  }
}
