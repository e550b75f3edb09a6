package dev.vertlet.model.reference;

/**
 * Identifies an object, or all objects of a kind, that pods refer to.
 *
 * @param namespace empty for cluster-scoped objects
 * @param name empty for all objects of this kind in the namespace
 */
public record ReferredKey(ReferredKind kind, String namespace, String name) {
  /** Whether the key names one object. */
  public boolean single() {
    return !name.isEmpty();
  }
}
