package dev.vertlet.bus;

import java.util.Objects;

/**
 * Content of a Kubernetes Event.
 *
 * @param kind of the event's object, for example Pod
 * @param namespace of that object, empty for a node
 * @param uid of that object; for a node its name, as kubelets write it
 * @param fieldPath for example {@code spec.containers{main}}, or empty
 * @param type Normal or Warning
 * @param node whose agent writes the event
 * @param apiVersion of the event's object
 */
public record ObjectEvent(
    String kind,
    String namespace,
    String name,
    String uid,
    String fieldPath,
    String type,
    String reason,
    String message,
    String node,
    String apiVersion)
    implements BusMessage {
  public static final String NORMAL = "Normal";
  public static final String WARNING = "Warning";

  /** Event about a pod or a node, or another object of the core group. */
  public ObjectEvent(
      String kind,
      String namespace,
      String name,
      String uid,
      String fieldPath,
      String type,
      String reason,
      String message,
      String node) {
    this(kind, namespace, name, uid, fieldPath, type, reason, message, node, "v1");
  }

  /** Rejects nulls at their origin, in the provider, before they cause harm elsewhere. */
  public ObjectEvent {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(uid, "uid");
    Objects.requireNonNull(fieldPath, "fieldPath");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(message, "message");
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(apiVersion, "apiVersion");
  }
}
