// This module re-exports ExploreTesting, because a test that uses this module also calls `explore`.
@_exported public import ExploreTesting
