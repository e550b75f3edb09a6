package dev.vertlet.harness.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.GoDuration;
import dev.vertlet.model.JsonTreeDecoder;
import dev.vertlet.model.KubeObject;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Event of a kubelet that an image was pulled.
 *
 * @param pod name of the pod
 * @param took time of the pull, with the wait for other pulls; 0 for an image that was there
 */
record PullView(
    String namespace, String name, String uid, long resourceVersion, String pod, Duration took)
    implements KubeObject {
  /** Field selector of these events. */
  static final String SELECTOR = "reason=Pulled";

  /** "… in 1.2s (1.5s including waiting). …"; earlier kubelets tell the first time alone. */
  private static final Pattern TOOK =
      Pattern.compile(
          "^Successfully pulled image .*? in (\\S+)(?: \\((\\S+) including waiting\\))?");

  static JsonTreeDecoder<PullView> decoder() {
    return new JsonTreeDecoder<>(PullView::of);
  }

  private static PullView of(JsonNode event) {
    JsonNode metadata = event.path("metadata");
    return new PullView(
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asLong(0),
        event.path("involvedObject").path("name").asText(),
        took(event.path("message").asText()));
  }

  /** Time that a message tells; 0 for none. */
  static Duration took(String message) {
    Matcher matcher = TOOK.matcher(message);
    if (!matcher.find()) {
      return Duration.ZERO;
    }
    String text = matcher.group(2) == null ? matcher.group(1) : matcher.group(2);
    try {
      return GoDuration.parse(text.replaceFirst("\\.$", ""));
    } catch (IllegalArgumentException e) {
      return Duration.ZERO;
    }
  }
}
