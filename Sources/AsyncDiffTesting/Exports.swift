// The default value of a surface's source location is a macro of the testing library. Without this export, the calling file would
// have to import that library.
@_exported public import Testing
