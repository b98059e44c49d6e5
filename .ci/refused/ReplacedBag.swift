// refused: value of type 'Session' has no member 'bag'
import AsyncKnot

// The bag of a holder is 'session.knot.bag'. It belongs to the knot, so that a property of the holder cannot hide it.
actor Session: StateActor {
  let knot = Knot(0)
}

func pipe(_ numbers: EventSequence<Int>, to session: Session) {
  numbers.pipe(to: session, in: session.bag)
}
