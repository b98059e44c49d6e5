// Re-exported, because a test with faulty parts also explores.
@_exported public import ExploreTesting
