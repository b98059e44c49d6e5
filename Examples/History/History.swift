@main
struct History {
  static func main() async {}
}
