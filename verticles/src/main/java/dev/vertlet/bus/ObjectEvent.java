package dev.vertlet.bus;

/**
 * Something worth a Kubernetes Event.
 *
 * @param kind of the object it is about: Pod or Node
 * @param namespace of that object, empty for a node
 * @param uid of that object; for a node its name, as kubelets write it
 * @param fieldPath for example {@code spec.containers{main}}, or empty
 * @param type Normal or Warning
 * @param node whose agent says it
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
    String node)
    implements BusMessage {
  public static final String NORMAL = "Normal";
  public static final String WARNING = "Warning";
}
