package dev.vertlet.apiserver.schema;

import java.util.Map;

/**
 * What {@code kubectl explain} says about kinds and fields, as far as this server gives them a
 * meaning of its own: kinds, what every object has, and the types that it does not take from the
 * Kubernetes client. The many fields of a pod are described in Kubernetes' own documentation.
 */
final class Descriptions {
  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("Binding", "Assigns a pod to a node."),
          Map.entry(
              "CertificateSigningRequest",
              "A request for a certificate. It is decided on through approval and signed through"
                  + " status."),
          Map.entry("ConfigMap", "Configuration data for pods and nodes, not secret."),
          Map.entry("Event", "Something that happened to an object."),
          Map.entry("EventSeries", "How often the same thing has happened."),
          Map.entry("Lease", "A lock that its holder renews; nodes show by one that they live."),
          Map.entry("LeaseSpec", "Who holds a lease, since when and for how long."),
          Map.entry("Namespace", "A scope for names of objects."),
          Map.entry("Node", "A node of the cluster, written by the agent that serves it."),
          Map.entry(
              "NodeConfigSource", "Where a node reads its dynamic configuration: one ConfigMap."),
          Map.entry(
              "NodeConfigStatus",
              "Which dynamic configuration a node is told to use, which one it uses, and why not"
                  + " the former."),
          Map.entry("Pod", "Containers that run together on one node."),
          Map.entry(
              "PodDisruptionBudget", "How many pods of a selection evictions must leave running."),
          Map.entry("Secret", "Data for pods that is not for everybody to read."),
          Map.entry("Service", "A name and an address for a selection of pods."),
          Map.entry("ServiceAccount", "An identity for what runs in pods."));

  /** Fields of any object. */
  private static final Map<String, String> COMMON =
      Map.of(
          "apiVersion", "The API group and version that the object is written in.",
          "kind", "The type of the object.",
          "metadata", "Name, labels and whatever else every object has.",
          "spec", "What is asked for.",
          "status", "What is the case, as observed by those who serve the object.");

  private static final Map<String, String> FIELDS =
      Map.ofEntries(
          Map.entry("LeaseSpec.holderIdentity", "Who holds the lease; empty or absent for nobody."),
          Map.entry(
              "LeaseSpec.leaseDurationSeconds",
              "Seconds after renewTime from which others may take the lease, greater than 0."),
          Map.entry("LeaseSpec.acquireTime", "When the holder took the lease."),
          Map.entry("LeaseSpec.renewTime", "When the holder last renewed the lease."),
          Map.entry("LeaseSpec.leaseTransitions", "How often the lease has changed hands."),
          Map.entry("LeaseSpec.strategy", "How a holder is elected, where a coordinator elects."),
          Map.entry("LeaseSpec.preferredHolder", "Whom the present holder should make room for."),
          Map.entry("Event.action", "What was done, in one word."),
          Map.entry("Event.reason", "Why it was done, in one word."),
          Map.entry("Event.note", "What happened, for people to read."),
          Map.entry("Event.type", "Normal or Warning."),
          Map.entry("Event.regarding", "The object that the event is about."),
          Map.entry("Event.related", "Another object that took part."),
          Map.entry("Event.eventTime", "When it happened first."),
          Map.entry("Event.series", "Set when it has happened more than once."),
          Map.entry("Event.reportingController", "The program that reports it."),
          Map.entry("Event.reportingInstance", "Which instance of that program."),
          Map.entry("EventSeries.count", "How often it has happened, 2 or more."),
          Map.entry("EventSeries.lastObservedTime", "When it happened last."),
          Map.entry(
              "NodeSpec.configSource",
              "The dynamic configuration that the node shall use; see"
                  + " docs/dynamic-configuration.md."),
          Map.entry("NodeStatus.config", "What has become of the dynamic configuration."),
          Map.entry("NodeConfigSource.configMap", "The ConfigMap, and the key in it."),
          Map.entry("NodeConfigStatus.assigned", "The configuration that the node is to use."),
          Map.entry("NodeConfigStatus.active", "The configuration that the node uses."),
          Map.entry(
              "NodeConfigStatus.lastKnownGood",
              "The configuration that the node returns to when the assigned one is bad."),
          Map.entry("NodeConfigStatus.error", "Why the assigned configuration is not used."));

  private Descriptions() {}

  /** What a type is, empty where nothing is said. */
  static String of(Shape shape) {
    return TYPES.getOrDefault(shape.simpleName(), "");
  }

  /** What a field is, empty where nothing is said. */
  static String of(Shape shape, String field) {
    String own = FIELDS.getOrDefault(shape.simpleName() + "." + field, "");
    return own.isEmpty() && isObject(shape) ? common(field) : own;
  }

  /** What a field of any object is, empty where nothing is said. */
  static String common(String field) {
    return COMMON.getOrDefault(field, "");
  }

  /** Whether a type is that of whole objects. */
  private static boolean isObject(Shape shape) {
    return shape
        .find("metadata")
        .filter(slot -> slot.shape().simpleName().equals("ObjectMeta"))
        .isPresent();
  }
}
