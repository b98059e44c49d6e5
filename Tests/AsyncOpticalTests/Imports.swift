// All files of the target see these modules.
@_exported import AsyncKnotTesting
@_exported import AsyncOptical
@_exported import Synchronization
@_exported import TestSupport
@_exported import Testing
