package dev.vertlet.payload;

import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.kubeletconfig.KubeletFields;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A payload, decoded.
 *
 * @param kubelet what it sets of a kubelet's fields, in their order
 * @param sections the other sections, which take the place of the local ones; null for a
 *     KubeletConfiguration, which leaves those alone
 * @param prefix of a JSON pointer into {@code kubelet} that makes it one into the payload
 * @param warnings what was dropped, for the log
 */
public record Payload(
    Map<KubeletField, Object> kubelet,
    @Nullable Sections sections,
    String prefix,
    List<String> warnings) {
  /**
   * @param node of the node's template: what is no kubelet's
   * @param provider {@code simulated} and {@code settings}
   * @param agent of the process, which the primary node alone may set
   */
  record Sections(JsonObject node, JsonObject provider, JsonObject agent) {}

  /** JSON pointer of where it says which port a node's kubelet has. */
  public String port() {
    return prefix + "/" + KubeletFields.PORT;
  }

  /** A field's JSON pointer in the payload. */
  String pointer(KubeletField field) {
    return field.pointer(prefix);
  }
}
