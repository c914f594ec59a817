internal import VarveProbe

extension AsyncSequence {
  /// The same sequence, whose elements a recording shows as a stream with this name.
  ///
  ///     for try await page in pages.traced("pages") { show(page) }
  ///
  /// Each iteration is a subscription: the recording has its begin, its elements, its failure or
  /// completion, and that it was cancelled or given up. What an element leads to, until the task
  /// receives something else, is recorded as caused by it, also through further `traced` sequences.
  ///
  /// It works with every sequence, also with channels, and holds no elements. It observes the
  /// consumer's side: an element is recorded as the consumer receives it. Where elements wait for
  /// their consumer, `AsyncStream.makeStream(named:)` records both sides.
  ///
  /// While no recording is running, an element costs one load and a branch.
  ///
  /// - Parameters:
  ///   - name: The name of the stream.
  ///   - file: The file in which the stream is named; leave out.
  ///   - line: The line; leave out.
  public func traced(
    _ name: String, file: StaticString = #fileID, line: UInt = #line
  ) -> TracedSequence<Self> {
    TracedSequence(
      base: self,
      stream: RecordedStream(
        name, operation: "traced", place: Place(file: "\(file)", line: UInt32(clamping: line)),
        valueType: Element.self, traits: .throwsFailure))
  }
}

/// An asynchronous sequence whose elements are recorded. See `AsyncSequence.traced(_:)`.
public struct TracedSequence<Base: AsyncSequence>: AsyncSequence {
  /// An element of the underlying sequence.
  public typealias Element = Base.Element
  /// The failure of the underlying sequence.
  public typealias Failure = Base.Failure

  private let base: Base
  private let stream: RecordedStream

  fileprivate init(base: Base, stream: RecordedStream) {
    self.base = base
    self.stream = stream
  }

  /// Begins an iteration.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), reading: SequenceReading(stream))
  }

  /// An iterator that records the elements that it returns.
  public struct Iterator: AsyncIteratorProtocol {
    private var base: Base.AsyncIterator
    private let reading: SequenceReading

    fileprivate init(base: Base.AsyncIterator, reading: SequenceReading) {
      self.base = base
      self.reading = reading
    }

    /// Waits for the next element; returns nil at the end.
    public mutating func next() async throws -> Base.Element? { try await next(isolation: nil) }

    /// Waits for the next element; returns nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Base.Failure) -> Base.Element? {
      reading.begin()
      do throws(Base.Failure) {
        let element = try await base.next(isolation: actor)
        if let element { reading.receive(element) } else { reading.finish() }
        return element
      } catch {
        reading.fail(error)
        throw error
      }
    }
  }
}

extension TracedSequence: Sendable where Base: Sendable {}
