// What code written for ReactiveSwift imports: all of Varve's streams, and in this module what such
// code needs beyond them to compile.

@_exported public import VarveReactive
