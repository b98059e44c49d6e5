// The default source location of a surface is a macro of the testing library. Without this export, the calling file would have to
// import that library.
@_exported public import Testing
