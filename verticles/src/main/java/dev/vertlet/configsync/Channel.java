package dev.vertlet.configsync;

/** Where a node's config source was declared. */
enum Channel {
  /** {@code spec.configSource}, where a server still keeps it. */
  NATIVE("native", "spec.configSource"),

  /** The Node annotation {@link DeclaredSources#ANNOTATION}. */
  ANNOTATION("annotation", "metadata.annotations[" + DeclaredSources.ANNOTATION + "]"),

  /** Nowhere. */
  NONE("none", "");

  private final String text;
  private final String path;

  Channel(String text, String path) {
    this.text = text;
    this.path = path;
  }

  /** As {@code vertlet.dev/config-status-detail} names it. */
  String text() {
    return text;
  }

  /** Field of the Node that holds it; empty for {@link #NONE}. */
  String path() {
    return path;
  }
}
