public import ArgumentParser
public import VarveExport

// `--time elapsed`: by its raw value.
extension TimeForm: ExpressibleByArgument {}
