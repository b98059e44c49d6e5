@main
struct Feed {
  static func main() async {}
}
