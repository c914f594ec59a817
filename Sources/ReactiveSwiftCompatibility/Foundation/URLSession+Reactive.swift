public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession: ReactiveExtensionsProvider {}

extension Reactive where Base: URLSession {
  /// Returns a producer that loads a request at each start and cancels the loading when the start
  /// is disposed of.
  public func data(with request: URLRequest) -> SignalProducer<(Data, URLResponse), any Error> {
    SignalProducer { [base] observer, lifetime in
      let task = base.dataTask(with: request) { data, response, error in
        if let data, let response {
          observer.send(value: (data, response))
          observer.sendCompleted()
        } else {
          observer.send(error: error ?? URLError(.unknown))
        }
      }
      lifetime.observeEnded { task.cancel() }
      task.resume()
    }
  }
}
