package dev.vertlet.model;

import org.jspecify.annotations.Nullable;

/**
 * Identity of one pod. Two pods with one name and different UIDs are different pods; every queue
 * and index in vertlet is keyed by UID for that reason.
 */
public record PodRef(String namespace, String name, String uid) {
  /** Namespace and name, for people. */
  public String display() {
    return namespace + "/" + name;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof PodRef that
            && namespace.equals(that.namespace)
            && name.equals(that.name)
            && uid.equals(that.uid);
  }

  @Override
  public int hashCode() {
    int hash = namespace.hashCode();
    hash = 31 * hash + name.hashCode();
    return 31 * hash + uid.hashCode();
  }
}
