package dev.vertlet.model.wire;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fields of one message to read: JSON names and protobuf numbers. */
final class Fields {
  private final Set<String> names = new HashSet<>();
  private final @Nullable String[] byNumber = new @Nullable String[64];

  private Fields() {}

  /**
   * Creates a set of fields.
   *
   * @param declarations each {@code "<number> <name>"}, as in the API's generated.proto; number 0
   *     for a field that protobuf has in a message of its own and JSON inlines
   */
  static Fields of(String... declarations) {
    Fields fields = new Fields();
    for (String declaration : declarations) {
      int space = declaration.indexOf(' ');
      String name = declaration.substring(space + 1);
      fields.byNumber[Integer.parseInt(declaration.substring(0, space))] = name;
      fields.names.add(name);
    }
    return fields;
  }

  boolean contains(String name) {
    return names.contains(name);
  }

  @Nullable String name(int number) {
    return number < byNumber.length ? byNumber[number] : null;
  }
}
