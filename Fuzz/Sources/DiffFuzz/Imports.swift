// Imports AsyncDiff for all files of the target, because the files that it shares with the tests do not import AsyncDiff.
@_exported import AsyncDiff
