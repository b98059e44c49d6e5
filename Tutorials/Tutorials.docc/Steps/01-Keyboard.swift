import AsyncKnot
import Foundation

enum Keyboard {
  /// The keys that the user presses; ends at ^C or ^D.
  static func keys() -> EventSequence<Character> {
    let channel = EventChannel<Character>()
    let keys = channel.subscribe()
    Thread.detachNewThread {
      var terminal = termios()
      let isTerminal = tcgetattr(STDIN_FILENO, &terminal) == 0
      if isTerminal {
        var raw = terminal
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
      }
      var bytes: [UInt8] = []
      while case let byte = getchar(), ![EOF, 3, 4].contains(byte) {
        bytes.append(UInt8(byte))
        guard let key = String(validating: bytes, as: UTF8.self)?.first else {
          if bytes.count == 4 { bytes = [] }  // no character is longer
          continue
        }
        channel.send(key)
        bytes = []
      }
      if isTerminal { tcsetattr(STDIN_FILENO, TCSANOW, &terminal) }
      channel.finish()
    }
    return keys
  }
}
