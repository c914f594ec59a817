// Clients decide how their values appear in a trace, so these declarations are re-exported. The
// rest of the probe's vocabulary is for recorders.
@_exported public import enum VarveProbe.TracePayload
@_exported public import protocol VarveProbe.TraceValue
@_exported public import struct VarveProbe.Withheld
