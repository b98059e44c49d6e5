// An opticle's source code names `Knot`, `TaskBag` and `StateHolder`, too: importing AsyncOptical
// is enough.
@_exported public import AsyncKnot
