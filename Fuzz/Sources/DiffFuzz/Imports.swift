// Imports these modules for all files of the target, as the tests do whose files it shares.
@_exported import AsyncDiff
@_exported import AsyncDiffTesting
