@main
struct QuickStart {
  static func main() async {}
}
