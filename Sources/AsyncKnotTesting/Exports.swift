// A test that uses the probes explores, too. Swift has no other way to re-export the free functions of a module.
@_exported public import ExploreTesting
