// Code that uses a data source names `Knot`, `TaskBag` and `StateHolder`, too: importing AsyncDiff
// is enough.
@_exported public import AsyncKnot
