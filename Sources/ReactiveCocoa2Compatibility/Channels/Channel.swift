internal import VarveProbe
public import VarveReactive

/// A connection with two ends: events sent at one end arrive at the other, and never return to
/// their sender.
///
///     let channel = Channel<String, Never>()
///     channel.leading.producer.startWithValues { model.title = $0 }
///     channel.following.producer.startWithValues { field.text = $0 }
///     channel.leading.send(value: model.title)   // goes to the field
///     channel.following.send(value: field.text)  // goes to the model
///
/// The leading end has the state: when the following end is first observed, it receives the latest
/// value sent at the leading end, but not the other way round.
///
/// - *Events*: the events sent at the other end, in order. A terminal event sent at either end ends
///   both. Once nothing more can be sent at one end, the observers at the other are interrupted.
/// - *Memory*: the latest value sent at the leading end. A channel lives while it, one of its ends
///   or one of their inputs is referenced.
/// - *Scheduling*: the sender's thread; the latest value arrives on the thread that starts.
public final class Channel<Value, Failure: Error> {
  /// One end of a channel.
  public final class Endpoint: Subject {
    /// The input that sends to the other end.
    public let input: Signal<Value, Failure>.Observer
    /// A producer of the events from the other end; at the following end, the latest value comes
    /// first.
    public let producer: SignalProducer<Value, Failure>
    private let arriving: SubjectCore<Value, Failure>

    /// A signal of the events from the other end, from now on.
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
  /// The end that follows: it receives the latest value sent at the leading end.
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

// Safety: immutable, and made of parts that may be used from any thread.
extension Channel: @unchecked Sendable where Value: Sendable {}
extension Channel.Endpoint: @unchecked Sendable where Value: Sendable {}

extension Channel.Endpoint: CustomStringConvertible {
  /// The name of the stream that arrives here.
  public var description: String { arriving.signal.description }
}
