/// Ends the program with a message in every build: a precondition says nothing in release.
@inlinable
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}

/// Ends the program if a value does not equal itself, as NaN.
@inlinable
func requireIdentity(_ id: some Hashable) {
  require(
    id == id, "an identifier must equal itself, or its row is never found again; got \(id)")
}
