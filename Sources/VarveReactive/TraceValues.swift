// How values look in a trace, and what an operator of one's own says of them, is the app's business,
// so these come along with the streams. The rest of the probe's vocabulary is for recorders.
@_exported public import enum VarveProbe.AbsorptionReason
@_exported public import struct VarveProbe.StreamTraits
@_exported public import enum VarveProbe.TracePayload
@_exported public import protocol VarveProbe.TraceValue
@_exported public import struct VarveProbe.Withheld
