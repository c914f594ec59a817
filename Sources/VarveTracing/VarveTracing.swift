// What a program of tasks imports: named sequences, marks, logs and spans, and the recorder that
// keeps them. It does not bring the reactive core with it.
@_exported public import VarveRecorder
