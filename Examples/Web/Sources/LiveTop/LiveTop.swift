@main
struct LiveTop {
  static func main() async {}
}
