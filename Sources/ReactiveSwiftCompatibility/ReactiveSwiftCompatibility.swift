// The module to import for code written for ReactiveSwift: it re-exports Varve's streams and adds
// the declarations that such code needs in addition.

@_exported public import VarveReactive
