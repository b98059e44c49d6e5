/// An actor on which a job runs, or none; two jobs of one actor never run at once.
@safe struct Place: Hashable {
  /// 0 for no place, 1 for the main actor, else the address of an actor.
  private let number: UInt

  static let anywhere = Place(number: 0)
  static let main = Place(number: 1)

  private init(number: UInt) { self.number = number }

  init(actor: UnsafeRawPointer?) { number = UInt(bitPattern: actor) }

  var isExclusive: Bool { number != 0 }
  var isMain: Bool { number == 1 }

  /// The actor; `nil` for the main actor and where there is none.
  var actor: UnsafeRawPointer? { unsafe number > 1 ? UnsafeRawPointer(bitPattern: number) : nil }
}
