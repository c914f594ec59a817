internal import VarveProbe
public import VarveReactive

/// A connection with two ends: what goes in at one comes out at the other, and never back to where it
/// came from.
///
///     let channel = Channel<String, Never>()
///     channel.leading.producer.startWithValues { model.title = $0 }
///     channel.following.producer.startWithValues { field.text = $0 }
///     channel.leading.send(value: model.title)   // goes to the field
///     channel.following.send(value: field.text)  // goes to the model
///
/// The leading end is where the state is: the following end gets its latest value when it is first
/// observed, and not the other way round.
///
/// - *Events*: what is sent in at one end, in order. An end that is sent in at either side ends both.
///   When nobody can send in at one side any more, those who observe the other are interrupted.
/// - *Memory*: the latest value that was sent in at the leading end. A channel lives while somebody
///   holds it, or one of its ends or their inputs.
/// - *Scheduling*: the sender's thread; the latest value comes on the thread that starts.
public final class Channel<Value, Failure: Error> {
  /// One end of a channel.
  public final class Endpoint: Subject {
    /// Sends to the other end.
    public let input: Signal<Value, Failure>.Observer
    /// What comes from the other end: at the following end the latest value first.
    public let producer: SignalProducer<Value, Failure>
    private let arriving: SubjectCore<Value, Failure>

    /// What comes from the other end, from now on.
    public var signal: Signal<Value, Failure> { arriving.signal }

    fileprivate init(
      sending departing: SubjectCore<Value, Failure>,
      receiving arriving: SubjectCore<Value, Failure>
    ) {
      input = departing.makeInput(ending: arriving)
      producer = arriving.makeProducer()
      self.arriving = arriving
    }
  }

  /// The end that has the state.
  public let leading: Endpoint
  /// The end that follows: it gets the latest value that was sent in at the leading end.
  public let following: Endpoint

  /// Creates a channel.
  public init(file: String = #fileID, line: UInt = #line) {
    let place = Place(file: file, line: line)
    func core(_ name: StaticString, keeping capacity: Int) -> SubjectCore<Value, Failure> {
      SubjectCore(
        StreamTitle(.source(name), of: [], place: place, valueType: Value.self), capacity: capacity)
    }
    let toLeading = core("leadingTerminal", keeping: 0)
    let toFollowing = core("followingTerminal", keeping: 1)
    leading = Endpoint(sending: toFollowing, receiving: toLeading)
    following = Endpoint(sending: toLeading, receiving: toFollowing)
  }
}

// Safety: immutable, and what they are made of is made for many threads.
extension Channel: @unchecked Sendable where Value: Sendable {}
extension Channel.Endpoint: @unchecked Sendable where Value: Sendable {}

extension Channel.Endpoint: CustomStringConvertible {
  /// The name of the stream that comes out here.
  public var description: String { arriving.signal.description }
}
