package dev.vertlet.remote.client;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.json.JsonObject;

/** Events of pods: those of the back end, and what is wrong with its answers. */
public final class BackendEvents {
  private BackendEvents() {}

  /**
   * Writes an event of the back end.
   *
   * @throws ContractException if it breaks the contract
   */
  public static void of(ProviderContext context, PodView pod, JsonObject event) {
    String type = Fields.text(event, "type", ObjectEvent.NORMAL);
    write(
        context,
        pod,
        type.equals(ObjectEvent.WARNING) ? type : ObjectEvent.NORMAL,
        Fields.text(event, "reason", "BackendEvent"),
        Fields.text(event, "message", ""),
        Fields.text(event, "fieldPath", ""));
  }

  /** A state of the pod makes no sense. */
  public static void invalidStatus(
      ProviderContext context, PodView pod, ContractException problem) {
    warn(context, pod, "InvalidStatus", "status of the back end: " + problem.getMessage());
  }

  public static void warn(ProviderContext context, PodView pod, String reason, String message) {
    write(context, pod, ObjectEvent.WARNING, reason, message, "");
  }

  private static void write(
      ProviderContext context,
      PodView pod,
      String type,
      String reason,
      String message,
      String fieldPath) {
    context.event(
        new ObjectEvent(
            "Pod",
            pod.namespace(),
            pod.name(),
            pod.uid(),
            fieldPath,
            type,
            reason,
            message,
            pod.nodeName()));
  }
}
