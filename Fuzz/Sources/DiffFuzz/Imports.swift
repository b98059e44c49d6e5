// Imports these modules for all files of the target, because it shares files with tests that import them in the same way.
@_exported import AsyncDiff
@_exported import AsyncDiffTesting
