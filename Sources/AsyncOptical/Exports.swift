// Who writes an opticle names `Knot`, `TaskBag` and `StateHolder`, too: one import is enough.
@_exported public import AsyncKnot
