// Imports these modules for all files of the target.
@_exported import AsyncKnot
@_exported import AsyncKnotTesting
@_exported import Synchronization
@_exported import TestSupport
@_exported import Testing
