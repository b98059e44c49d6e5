// Imports this module for all files of the target, because it shares files with tests that import it in the same way.
@_exported import AsyncDiff
