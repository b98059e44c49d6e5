// All files of the target see these modules.
@_exported import ExploreTesting
@_exported import Synchronization
@_exported import TestSupport
@_exported import Testing
