// The module that an app imports.
@_exported public import VarveReactive
@_exported public import VarveRecorder
