package dev.vertlet.cri.wire;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Writes the messages that this package has as text, for a comparison with the protocol's file. */
public final class ProtocolText {
  private static final List<Class<?>> HOLDERS =
      List.of(
          CommonMessages.class,
          SandboxMessages.class,
          ContainerMessages.class,
          StreamMessages.class,
          ImageMessages.class,
          StatusMessages.class,
          StatsMessages.class);

  private ProtocolText() {}

  /**
   * Returns a line for each field and each value of an enum, sorted: {@code Message.field = number
   * type}, {@code Enum.VALUE = number}.
   */
  public static String all() {
    List<String> lines = new ArrayList<>();
    for (Class<?> holder : HOLDERS) {
      for (Class<?> type : holder.getDeclaredClasses()) {
        String name = type.getSimpleName();
        if (type.isEnum()) {
          for (Object constant : type.getEnumConstants()) {
            lines.add(name + "." + constant + " = " + ((Enum<?>) constant).ordinal());
          }
        } else {
          for (FieldSchema field : MessageSchema.of(type).fields()) {
            lines.add(name + "." + field.name() + " = " + field.number() + " " + field.type());
          }
        }
      }
    }
    Collections.sort(lines);
    return String.join("\n", lines) + "\n";
  }
}
