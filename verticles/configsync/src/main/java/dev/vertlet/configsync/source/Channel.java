package dev.vertlet.configsync.source;

/** Where a Node declares its config source. */
public enum Channel {
  /** {@code spec.configSource}, on servers that still keep it. */
  NATIVE("native", "spec.configSource"),

  /** The Node annotation {@link DeclaredSources#ANNOTATION}. */
  ANNOTATION("annotation", "metadata.annotations[" + DeclaredSources.ANNOTATION + "]"),

  /** The Node declares no source. */
  NONE("none", "");

  private final String text;
  private final String path;

  Channel(String text, String path) {
    this.text = text;
    this.path = path;
  }

  /** Name in {@code vertlet.dev/config-status-detail}. */
  public String text() {
    return text;
  }

  /** Field of the Node that declares the source; empty for {@link #NONE}. */
  public String path() {
    return path;
  }
}
