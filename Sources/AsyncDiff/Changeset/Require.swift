/// Traps with a message in every build, unlike a precondition, which prints no message in release builds.
@inlinable
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}

/// Traps if a value, such as NaN, is not equal to itself.
@inlinable
func requireIdentity(_ id: some Hashable) {
  require(
    id == id,
    """
    diffIdentifier: needs an identifier that is equal to itself; got \(id). Use an identifier or a section key \
    that cannot be NaN.
    """)
}
