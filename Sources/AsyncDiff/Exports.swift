// Code that uses a data source also uses `Knot`, `TaskBag` and `StateHolder`, so one import is enough.
@_exported public import AsyncKnot
