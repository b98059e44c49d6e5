@main
struct LogWatch {
  static func main() async {}
}
