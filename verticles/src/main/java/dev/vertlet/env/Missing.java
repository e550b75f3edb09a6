package dev.vertlet.env;

import dev.vertlet.model.ReferredKind;
import org.jspecify.annotations.Nullable;

/**
 * An object, or an entry of one, that an environment names and that is not there.
 *
 * @param namespace of the pod, and so of the object
 * @param key null when the whole object is missing
 * @param variable that wants it, empty for a whole object ({@code envFrom})
 * @param optional whether the container starts without it
 */
public record Missing(
    ReferredKind kind,
    String namespace,
    String name,
    @Nullable String key,
    String variable,
    boolean optional) {
  /** As a kubelet says it in a container's waiting state. */
  public String message() {
    return key == null
        ? notFound()
        : "couldn't find key " + key + " in " + kind.kind() + " " + namespace + "/" + name;
  }

  /** Reason of virtual-kubelet's event about it, for example {@code MandatorySecretNotFound}. */
  public String eventReason() {
    return (optional ? "Optional" : "Mandatory")
        + kind.kind()
        + (key == null ? "NotFound" : "KeyNotFound");
  }

  /** Message of virtual-kubelet's event about it. */
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
