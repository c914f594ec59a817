/// A connection with two ends: a value sent at one end arrives at the other, and never returns to
/// where it came from.
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
/// - *Events*: the events sent at the other end, in order. An end sent at either side ends both.
///   When nothing can be sent at one side any more, the observers of the other are interrupted.
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
      input = Signal<Value, Failure>.ChannelInput(departing, back: arriving)
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
    let place = SourcePlace(file: file, line: line)
    let toLeading = SubjectCore<Value, Failure>(
      StreamIdentity(
        .source("leadingTerminal", older: "leadingTerminal"), place: place, valueType: Value.self),
      capacity: 0)
    let toFollowing = SubjectCore<Value, Failure>(
      StreamIdentity(
        .source("followingTerminal", older: "followingTerminal"), place: place,
        valueType: Value.self),
      capacity: 1)
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

extension Signal {
  /// The input of one end of a channel.
  fileprivate final class ChannelInput: Observer, @unchecked Sendable {
    // Safety: the cells may be used from any thread.
    private let departing: SubjectCore<Value, Failure>
    private let back: SubjectCore<Value, Failure>

    init(_ departing: SubjectCore<Value, Failure>, back: SubjectCore<Value, Failure>) {
      self.departing = departing
      self.back = back
      super.init(value: nil, failed: nil, completed: nil, interrupted: nil)
    }

    // Nothing can be sent to the other end any more; that end may still send to this one.
    deinit { departing.cell.send(.interrupted) }

    override var fedStream: UInt32 { departing.signal.identity.id }
    override var hasEnough: Bool { departing.cell.root.isOver }

    override func receive(_ value: Value) { departing.cell.send(value) }

    override func terminate(_ termination: Termination<Failure>) {
      departing.cell.send(termination)
      back.cell.send(termination)
    }
  }
}
