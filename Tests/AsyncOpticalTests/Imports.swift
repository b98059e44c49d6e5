// Imports these modules for all files of the target.
@_exported import AsyncKnotTesting
@_exported import AsyncOptical
@_exported import Synchronization
@_exported import TestSupport
@_exported import Testing
