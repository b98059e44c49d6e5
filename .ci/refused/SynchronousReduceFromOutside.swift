// refused: call to actor-isolated instance method 'reduce' in a synchronous nonisolated context
import AsyncKnot

actor Counter: StateHolder {
  let knot = Knot(0)
}

func add(to counter: Counter) {
  counter.reduce { $0 += 1 }
}
