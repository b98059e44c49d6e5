// The surface takes a source location, which is a macro of the testing library. Without this export, the calling file
// would have to import the library.
@_exported public import Testing
