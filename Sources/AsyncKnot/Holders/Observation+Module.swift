public import Observation

// The `@Observable` macro writes `Observation.Observable` into the code of its user and means the
// module. Where AsyncKnot is imported too, that finds the class of this name, so the class passes on
// what the macro asks for.

/// The protocol that `@Observable` adopts.
public typealias ObservableProtocol = Observable

/// What `@Observable` stores.
public typealias ObservableRegistrar = ObservationRegistrar

extension Observation {
  /// The protocol of the module that is called `Observation` too, for the `@Observable` macro.
  public typealias Observable = ObservableProtocol
  /// The registrar of the module that is called `Observation` too, for the `@Observable` macro.
  public typealias ObservationRegistrar = ObservableRegistrar
}
