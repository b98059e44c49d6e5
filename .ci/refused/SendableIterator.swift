// refused: conformance of 'StateSequence<State>.AsyncIterator' to 'Sendable' is unavailable
import AsyncKnot

func needsSendable(_ value: some Sendable) {}

func send(_ node: some StateSource<Int>) {
  needsSendable(node.states.makeAsyncIterator())
}
