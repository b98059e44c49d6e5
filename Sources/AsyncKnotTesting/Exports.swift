// Who tests with the probes explores, too. Swift has no other way to pass on the free functions of another module.
@_exported public import ExploreTesting
