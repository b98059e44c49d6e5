// A stub for compiling samples, written from the public documentation; not Apple's framework, and not shipped.
public import Foundation

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("a stub draws nothing") }
}

@resultBuilder public enum ViewBuilder {
  public static func buildEither<First: View, Second: View>(
    first content: First
  ) -> ConditionalContent<First, Second> { ConditionalContent() }
  public static func buildEither<First: View, Second: View>(
    second content: Second
  ) -> ConditionalContent<First, Second> { ConditionalContent() }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { TupleView((repeat each content)) }
}

public protocol Leaf: View where Body == Never {}
extension Leaf {
  public var body: Never { fatalError("a stub draws nothing") }
}

public struct EmptyView: Leaf {}

public struct ConditionalContent<First: View, Second: View>: Leaf {}

public struct TupleView<Views>: Leaf {
  nonisolated public init(_ views: Views) {}
}

public struct Text: Leaf {
  public init<Content: StringProtocol>(_ content: Content) {}
}

public struct TextField: Leaf {
  public init<Title: StringProtocol>(_ title: Title, text: Binding<String>) {}
}

public struct Toggle: Leaf {
  public init<Title: StringProtocol>(_ title: Title, isOn: Binding<Bool>) {}
}

public struct Button: Leaf {
  public init<Title: StringProtocol>(_ title: Title, action: @escaping @MainActor () -> Void) {}
}

public struct VStack<Content: View>: Leaf {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct List<Content: View>: Leaf {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: Leaf {
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}
}

public struct Section<Content: View>: Leaf {
  public init<Title: StringProtocol>(_ title: Title, @ViewBuilder content: () -> Content) {}
}

extension ForEach {
  public func onDelete(perform action: ((IndexSet) -> Void)?) -> some View { ModifiedContent() }
}

public struct ModifiedContent: Leaf {}

extension View {
  public func task(
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View {
    ModifiedContent()
  }
  public func task(
    id: some Equatable,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View {
    ModifiedContent()
  }
  public func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
    ModifiedContent()
  }
  public func onChange(
    of value: some Equatable, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View {
    ModifiedContent()
  }
  public func disabled(_ disabled: Bool) -> some View { ModifiedContent() }
  public func onAppear(perform action: (() -> Void)? = nil) -> some View { ModifiedContent() }
  public func onTapGesture(perform action: @escaping () -> Void) -> some View { ModifiedContent() }
}

@propertyWrapper public struct State<Value> {
  public var wrappedValue: Value {
    get { initial }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> {
    fatalError("State.projectedValue: not available, because this stub keeps no state")
  }
  private let initial: Value

  public init(wrappedValue value: Value) { initial = value }
  public init(initialValue value: Value) { initial = value }
}

@propertyWrapper public struct Binding<Value> {
  public var wrappedValue: Value {
    get { fatalError("Binding.wrappedValue: not available, because this stub is bound to nothing") }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { self }

  @preconcurrency
  public init(
    get: @escaping @isolated(any) @Sendable () -> Value,
    set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
}

@MainActor @preconcurrency public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}
