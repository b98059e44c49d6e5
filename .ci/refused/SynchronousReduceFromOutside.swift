// refused: call to actor-isolated instance method 'reduce' in a synchronous nonisolated context
import AsyncKnot

actor Counter: StateActor {
  let knot = Knot(0)
}

func add(to counter: Counter) {
  counter.reduce { $0 += 1 }
}
