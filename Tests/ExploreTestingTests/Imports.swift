// Imports these modules for all files of the target.
@_exported import ExploreTesting
@_exported import Synchronization
@_exported import TestSupport
@_exported import Testing
