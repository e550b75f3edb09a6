package dev.vertlet.model;

/**
 * Names what pods refer to.
 *
 * @param namespace empty for what is in none
 * @param name empty for all objects of this kind in the namespace
 */
public record ReferredKey(ReferredKind kind, String namespace, String name) {
  /** One object, and not all of a namespace. */
  public boolean single() {
    return !name.isEmpty();
  }
}
