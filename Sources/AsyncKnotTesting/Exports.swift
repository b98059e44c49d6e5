// Tests that use the probes also call `explore`. This attribute is the only way to re-export the free functions of a module.
@_exported public import ExploreTesting
