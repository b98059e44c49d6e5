// Imports these modules for all files of the target.
@_exported import AsyncDiff
@_exported import AsyncDiffTesting
@_exported import AsyncKnotTesting
@_exported import Synchronization
@_exported import TestSupport
@_exported import Testing
