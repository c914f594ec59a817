import Foundation
import Testing
import VarveAnalysis
import VarveExport
import VarveProbe
import VarveTraceScript

@Suite("Events as JSON")
struct EventJSONTests {
  private static let keys = [
    "event", "time_ns", "thread", "name", "stream", "operator", "subscription", "kind", "value",
    "value_type", "cause", "scheduler", "reason",
  ]

  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(object as? [String: Any])
    }
  }

  @Test("each line is an object with the promised keys, whatever the event")
  func keys() throws {
    let text = try Rendered(EventTextTests.everything()).json()
    let objects = try objects(text)
    #expect(objects.count == 21)
    for object in objects {
      #expect(Set(object.keys).subtracting(["causes"]) == Set(Self.keys))
    }
    for line in text.split(separator: "\n") {
      let places = try Self.keys.map { try #require(line.range(of: "\"\($0)\":")).lowerBound }
      #expect(places == places.sorted())
    }
  }

  @Test("lines are as they were promised, to the byte")
  func bytes() throws {
    var script = TraceScript()
    let query = script.stream("query", "debounce", type: "String")
    let work = script.scheduler("QueueScheduler(search)")
    let other = script.thread("", ring: 2)
    let first = script.value(query, "sea", at: 1)
    script.value(query, "sear\u{7}\u{9b}\u{2028}é\"", at: 2, subscription: 7, back: 1)
    let hop = script.record(
      .hopScheduled, of: work, at: 3, subscription: 5, back: 1, causes: [first])
    script.record(.hopBegan, of: work, at: 4, ring: other, subscription: 5, causes: [hop])
    script.end(7, of: query, .disposed, at: 5)
    #expect(
      try Rendered(script).json() == #"""
        {"event":"1.1","time_ns":1000000,"thread":"main","name":"query","stream":1,"operator":"debounce","subscription":null,"kind":"value","value":"sea","value_type":"string","cause":null,"scheduler":null,"reason":null}
        {"event":"1.2","time_ns":2000000,"thread":"main","name":"query","stream":1,"operator":"debounce","subscription":7,"kind":"value","value":"sear\u0007\u009b\u2028é\"","value_type":"string","cause":"1.1","scheduler":null,"reason":null}
        {"event":"1.3","time_ns":3000000,"thread":"main","name":null,"stream":null,"operator":null,"subscription":5,"kind":"hopScheduled","value":null,"value_type":null,"cause":"1.2","causes":["1.2","1.1"],"scheduler":"QueueScheduler(search)","reason":null}
        {"event":"2.1","time_ns":4000000,"thread":"thread 4713","name":null,"stream":null,"operator":null,"subscription":5,"kind":"hopBegan","value":null,"value_type":null,"cause":"1.3","scheduler":"QueueScheduler(search)","reason":null}
        {"event":"1.4","time_ns":5000000,"thread":"main","name":"query","stream":1,"operator":"debounce","subscription":7,"kind":"ended","value":null,"value_type":null,"cause":null,"scheduler":null,"reason":"disposed"}

        """#)
  }

  /// A payload, its value in JSON and the type beside it.
  private static let payloads: [(ScriptedPayload, String)] = [
    (.integer(.min), #""value":-9223372036854775808,"value_type":"integer""#),
    (.unsigned(.max), #""value":18446744073709551615,"value_type":"unsigned""#),
    (.real(0.1), #""value":0.1,"value_type":"real""#),
    (.real(1e16), #""value":1e+16,"value_type":"real""#),
    (.real(-1.5e-7), #""value":-1.5e-07,"value_type":"real""#),
    (.real(12_345_678_901_234), #""value":12345678901234.0,"value_type":"real""#),
    (.real(0.000_123), #""value":0.000123,"value_type":"real""#),
    (.real(-.zero), #""value":-0.0,"value_type":"real""#),
    (.real(.nan), #""value":"NaN","value_type":"real""#),
    (.real(-.infinity), #""value":"-Infinity","value_type":"real""#),
    (.boolean(false), #""value":false,"value_type":"boolean""#),
    (.unit, #""value":null,"value_type":"unit""#),
    (.null, #""value":null,"value_type":"nil""#),
    (.withheld, #""value":null,"value_type":"withheld""#),
    (.string(""), #""value":"","value_type":"string""#),
    (.description("A(b)"), #""value":"A(b)","value_type":"description""#),
    (.typeOnly("Card"), #""value":"Card","value_type":"type""#),
    (.bytes([1, 254]), #""value":"01fe","value_type":"bytes""#),
    (.rawString([0x61, 0xff, 0xc0, 0x80]), "\"value\":\"a\u{fffd}\u{fffd}\u{fffd}\","),
    (.absent, #""value":null,"value_type":null"#),
  ]

  @Test("E12: nil, (), absence and what was withheld are told apart, numbers are exact")
  func payloads() throws {
    for (payload, expected) in Self.payloads {
      var script = TraceScript()
      let stream = script.stream("s")
      script.record(.value, of: stream, payload, at: 1)
      #expect(try Rendered(script).json().contains(expected))
    }
  }

  @Test("the json form is one array of the same objects")
  func array() throws {
    let rendered = try Rendered(EventTextTests.everything())
    let array = try JSONSerialization.jsonObject(with: Data(rendered.json(isArray: true).utf8))
    let lines = try objects(rendered.json())
    #expect(try NSArray(array: #require(array as? [Any])) == NSArray(array: lines))
    var nothing = Selection()
    nothing.head = 0
    #expect(try rendered.json(nothing, isArray: true) == "[]\n")
  }

  @Test("a table has a title for each column, and quotes what needs it")
  func table() throws {
    var script = TraceScript()
    let s = script.stream("a,b", type: "String")
    script.value(s, "say \"hi\", you", at: 1)
    script.record(.completed, of: s, at: 2)
    #expect(
      try Rendered(script).csv() == """
        event,time_ns,thread,name,stream,operator,subscription,kind,value,value_type,cause,scheduler,reason\r
        1.1,1000000,main,"a,b",1,pipe,,value,"say ""hi"", you",string,,,\r
        1.2,2000000,main,"a,b",1,pipe,,completed,,,,,\r

        """)
  }
}
