// Imports these modules in all files of the target, like the tests with which it shares files.
@_exported import AsyncDiff
@_exported import AsyncDiffTesting
