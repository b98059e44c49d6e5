// refused: a channel is not a sequence: store 'let events = channel.subscribe()', then write 'for await event in events'
import AsyncKnot

func listen(to channel: EventChannel<Int>) async {
  for await event in channel { print(event) }
}
