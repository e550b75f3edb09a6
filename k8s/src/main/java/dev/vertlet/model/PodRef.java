package dev.vertlet.model;

/**
 * Identity of one pod. Two pods with one name and different UIDs are different pods; every queue
 * and index in vertlet is keyed by UID for that reason.
 */
public record PodRef(String namespace, String name, String uid) {
  /** {@code namespace/name}, for people. */
  public String display() {
    return namespace + "/" + name;
  }
}
