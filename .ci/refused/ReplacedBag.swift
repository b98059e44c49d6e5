// refused: value of type 'Session' has no member 'bag'
import AsyncKnot

// A holder's bag is its knot's, which no property of the holder can hide: 'session.knot.bag'.
actor Session: StateActor {
  let knot = Knot(0)
}

func pipe(_ numbers: EventSequence<Int>, to session: Session) {
  numbers.pipe(to: session, in: session.bag)
}
