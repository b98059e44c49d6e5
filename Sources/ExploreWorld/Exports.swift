// Who has a world of faults has chance, and what explores it.
@_exported public import ExploreTesting
