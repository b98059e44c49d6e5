// The default value of `sourceLocation` in `StrictSurface.init` is a macro of the testing library. Without this export, the file
// that calls the initializer would have to import that library.
@_exported public import Testing
