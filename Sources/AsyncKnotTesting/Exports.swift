// Tests that use the probes also call `explore`. Only this attribute re-exports the free functions of a module.
@_exported public import ExploreTesting
