package dev.vertlet.provider;

/** A provider's section of the configuration is invalid. */
public final class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String pointer;
  private final transient Object value;
  private final String allowed;

  /**
   * Describes one invalid value.
   *
   * @param pointer JSON pointer in the section, for example {@code /pools/0/size}; empty for the
   *     whole section
   * @param value as written, empty if the key is missing
   * @param allowed what is wrong and what is allowed, as the end of a sentence that begins with the
   *     value: {@code must be from 1 to 10}
   */
  public SettingsException(String pointer, Object value, String allowed) {
    super(pointer + ": " + value + " " + allowed, null, false, false);
    this.pointer = pointer;
    this.value = value;
    this.allowed = allowed;
  }

  public String pointer() {
    return pointer;
  }

  public Object value() {
    return value;
  }

  public String allowed() {
    return allowed;
  }
}
