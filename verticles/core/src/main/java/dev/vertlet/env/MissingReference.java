package dev.vertlet.env;

import dev.vertlet.model.reference.ReferredKind;
import org.jspecify.annotations.Nullable;

/**
 * A missing object or key that an environment refers to.
 *
 * @param namespace of the pod, and so of the object
 * @param key null if the whole object is missing
 * @param variable that refers to the key, empty for a whole object ({@code envFrom})
 * @param optional whether the container starts without it
 */
public record MissingReference(
    ReferredKind kind,
    String namespace,
    String name,
    @Nullable String key,
    String variable,
    boolean optional) {
  /** Message of a kubelet in the container's waiting state. */
  public String message() {
    return key == null
        ? notFound()
        : "couldn't find key " + key + " in " + kind.kind() + " " + namespace + "/" + name;
  }

  /** Reason of virtual-kubelet's event, for example {@code MandatorySecretNotFound}. */
  public String eventReason() {
    return (optional ? "Optional" : "Mandatory")
        + kind.kind()
        + (key == null ? "NotFound" : "KeyNotFound");
  }

  /** Message of virtual-kubelet's event. */
  public String eventMessage() {
    String what =
        key == null
            ? notFound()
            : "key \"" + key + "\" does not exist in " + kind.resource() + " \"" + name + "\"";
    return optional && !variable.isEmpty()
        ? "skipping optional envvar \"" + variable + "\": " + what
        : what;
  }

  private String notFound() {
    return kind.resource() + " \"" + name + "\" not found";
  }
}
