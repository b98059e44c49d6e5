// Code that declares an opticle also needs `Knot`, `TaskBag` and other names of AsyncKnot, so one import provides both modules.
@_exported public import AsyncKnot
