// The recorder as a library of its own, for programs that do not have one. It starts by itself, as
// in a program that links it, when it is loaded (`process.c` of CVarveSystem). With it comes what
// follows the work of queues, if `varve run --hops` stands in front of Dispatch.
internal import VarveReactive
@_exported public import VarveRecorder
