// Who writes a data source names `Knot`, `TaskBag` and `StateHolder`, too: one import is enough.
@_exported public import AsyncKnot
