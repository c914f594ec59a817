public import ArgumentParser
public import VarveExport

// `--time elapsed`: parsed by raw value.
extension TimeForm: ExpressibleByArgument {}
