// All files of the target see these modules, as in the tests whose files it has.
@_exported import AsyncDiff
@_exported import AsyncDiffTesting
