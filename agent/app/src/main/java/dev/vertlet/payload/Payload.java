package dev.vertlet.payload;

import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.kubeletconfig.KubeletFields;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decoded payload of a dynamic config.
 *
 * @param kubelet values of kubelet fields, in their order
 * @param sections other sections, which replace the local ones; null for a KubeletConfiguration,
 *     which keeps those
 * @param prefix prefix that turns a JSON pointer into {@code kubelet} into one into the payload
 * @param warnings dropped values, for the log
 */
public record Payload(
    Map<KubeletField, Object> kubelet,
    @Nullable Sections sections,
    String prefix,
    List<String> warnings) {
  /**
   * @param node keys of the node's template that a kubelet does not have
   * @param provider {@code simulated} and {@code settings}
   * @param agent settings of the process, which only the primary node may set
   */
  record Sections(JsonObject node, JsonObject provider, JsonObject agent) {}

  /** Returns the JSON pointer of the kubelet's port. */
  public String port() {
    return prefix + "/" + KubeletFields.PORT;
  }

  /** Returns a field's JSON pointer in the payload. */
  String pointer(KubeletField field) {
    return field.pointer(prefix);
  }
}
