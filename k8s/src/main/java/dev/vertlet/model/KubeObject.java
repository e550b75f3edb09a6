package dev.vertlet.model;

/** The part of an object's metadata that a {@code Reflector} needs to index it. */
public interface KubeObject {
  /** Empty for cluster-scoped objects. */
  String namespace();

  String name();

  String uid();

  /** A number: resource versions of one resource type are comparable (KEP-5504). */
  long resourceVersion();
}
