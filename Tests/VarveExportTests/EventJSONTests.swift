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
      let sometimes: Set = ["causes", "value_bytes", "truncated"]
      #expect(Set(object.keys).subtracting(sometimes) == Set(Self.keys))
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

  /// A value of which a part was kept, and a loss before and after another.
  private static func incomplete() -> TraceScript {
    var script = TraceScript()
    let s = script.stream("s", type: "String")
    script.record(.value, of: s, .string("lak", originally: 9000), at: 1)
    script.lose(3, from: 2, to: 4)
    script.value(s, "next", at: 5)
    script.lose(7, from: 6, to: 8)
    return script
  }

  @Test("F7: a cut value has the length that it had, and a loss is a line where events are missing")
  func incompleteLines() throws {
    let lines = try Rendered(Self.incomplete()).json().split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(
      lines[0].contains(
        #""value":"lak","value_type":"string","value_bytes":9000,"truncated":true,"cause":null"#))
    let nothing = [
      "name", "stream", "operator", "subscription", "kind", "value", "value_type", "cause",
      "scheduler",
    ].map { $0 == "kind" ? #""kind":"lost""# : "\"\($0)\":null" }.joined(separator: ",")
    #expect(
      lines[1] == #"{"event":null,"time_ns":2000000,"thread":"main",\#(nothing),"#
        + #""reason":"noRoom","count":3,"from_ns":2000000,"to_ns":4000000}"#)
    #expect(!lines[2].contains("truncated"))
    #expect(lines[3].contains(#""kind":"lost""#) && lines[3].contains(#""count":7"#))
    let array = try Rendered(Self.incomplete()).json(isArray: true)
    let objects = try JSONSerialization.jsonObject(with: Data(array.utf8)) as? [Any]
    #expect(objects?.count == 4)
  }

  @Test("F7: losses outside of the chosen time and threads are left out")
  func chosenLosses() throws {
    let rendered = try Rendered(Self.incomplete())
    func counts(_ selection: Selection) throws -> [Int] {
      try objects(rendered.json(selection)).compactMap { $0["count"] as? Int }
    }
    var selection = Selection()
    selection.since = try TimeExpression("+5ms")
    #expect(try counts(selection) == [7])
    selection.since = nil
    selection.until = try TimeExpression("+5ms")
    #expect(try counts(selection) == [3])
    selection = Selection()
    selection.threads = [try NamePattern("other")]
    #expect(try counts(selection) == [])
    selection = Selection()
    selection.head = 2
    #expect(try counts(selection) == [3])
    selection = Selection()
    selection.tail = 1
    #expect(try counts(selection) == [7])
  }

  @Test("F7: a table has the same as columns and rows")
  func incompleteTable() throws {
    let rows = try Rendered(Self.incomplete()).csv().split(separator: "\r\n").map(String.init)
    #expect(rows.count == 5)
    #expect(rows[1] == "1.1,1000000,main,s,1,pipe,,value,lak,string,,,,9000,true,,,,")
    #expect(rows[2] == ",2000000,main,,,,,lost,,,,,noRoom,,,3,2000000,4000000,")
    #expect(rows[3] == "1.2,5000000,main,s,1,pipe,,value,next,string,,,,,,,,,")
    #expect(rows[4] == ",6000000,main,,,,,lost,,,,,noRoom,,,7,6000000,8000000,")
  }

  @Test("F8: a table has no cell that a spreadsheet runs, and numbers stay numbers")
  func formulas() throws {
    var script = TraceScript()
    let s = script.stream("=name", type: "String")
    let texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "'quoted", "a=1", ""]
    for (index, text) in texts.enumerated() { script.value(s, text, at: Double(index)) }
    script.record(.value, of: s, .integer(-5), at: 20)
    let cells = try Rendered(script).csv().split(separator: "\r\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(cells.allSatisfy { $0[3] == "'=name" })
    #expect(
      cells.map { $0[8] } == [
        "'=1+1", "'+1", "'-1", "'@SUM(A1)", "\"'\\tx\"", "''quoted", "a=1", "", "-5",
      ])
  }

  @Test("a table has a title for each column, and quotes what needs it")
  func table() throws {
    var script = TraceScript()
    let s = script.stream("a,b", type: "String")
    script.value(s, "say \"hi\", you", at: 1)
    script.record(.completed, of: s, at: 2)
    #expect(
      try Rendered(script).csv() == """
        event,time_ns,thread,name,stream,operator,subscription,kind,value,value_type,cause,scheduler,reason,value_bytes,truncated,count,from_ns,to_ns,task_name\r
        1.1,1000000,main,"a,b",1,pipe,,value,"say ""hi"", you",string,,,,,,,,,\r
        1.2,2000000,main,"a,b",1,pipe,,completed,,,,,,,,,,,\r

        """)
  }
}
