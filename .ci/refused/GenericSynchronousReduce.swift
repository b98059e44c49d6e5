// refused: 'async' call in a function that does not support concurrency
import AsyncKnot

func add(to holder: isolated some StateHolder<Int> & Actor) {
  holder.reduce { $0 += 1 }
}
