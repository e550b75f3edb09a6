package dev.vertlet.cri.wire;

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
   * Returns a line for each field and each value of an enum: {@code Message.field = number type},
   * {@code Enum.VALUE = number}.
   */
  public static String all() {
    StringBuilder text = new StringBuilder();
    for (Class<?> holder : HOLDERS) {
      for (Class<?> type : holder.getDeclaredClasses()) {
        if (type.isEnum()) {
          for (Object constant : type.getEnumConstants()) {
            text.append(type.getSimpleName()).append('.').append(constant);
            text.append(" = ").append(((Enum<?>) constant).ordinal()).append('\n');
          }
        } else {
          for (FieldSchema field : MessageSchema.of(type).fields()) {
            text.append(type.getSimpleName()).append('.').append(field.name());
            text.append(" = ").append(field.number()).append(' ').append(field.type());
            text.append('\n');
          }
        }
      }
    }
    return text.toString();
  }
}
