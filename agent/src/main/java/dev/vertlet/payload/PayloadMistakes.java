package dev.vertlet.payload;

import dev.vertlet.config.Mistake;
import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.payload.PayloadException.Reason;
import java.util.List;
import java.util.Map;

/** Translates mistakes in the merged document to places in the payload. */
final class PayloadMistakes {
  private final Payload payload;
  private final int template;

  /**
   * @param template index of the node's template
   */
  PayloadMistakes(Payload payload, int template) {
    this.payload = payload;
    this.template = template;
  }

  PayloadException refused(Reason reason, List<Mistake> mistakes) {
    return new PayloadException(
        reason, mistakes.stream().map(mistake -> inPayload(mistake).toString()).toList());
  }

  /** Returns the mistakes in the strictly decoded sections. */
  List<Mistake> outsideKubelet(List<Mistake> mistakes) {
    return mistakes.stream().filter(mistake -> field(mistake.pointer()).isEmpty()).toList();
  }

  private Mistake inPayload(Mistake mistake) {
    String pointer = mistake.pointer();
    String place = field(pointer);
    if (!place.isEmpty()) {
      return mistake.at(place);
    }
    for (Map.Entry<String, String> section :
        Map.of("/nodes/" + template, "/node", "/simulated", "/provider/simulated").entrySet()) {
      if (pointer.startsWith(section.getKey() + "/")) {
        return mistake.at(section.getValue() + pointer.substring(section.getKey().length()));
      }
    }
    return pointer.startsWith("/providers/settings/")
        ? mistake.at("/provider" + pointer.substring("/providers".length()))
        : mistake;
  }

  /** Returns the payload's field that set this place of the document; empty for none. */
  private String field(String pointer) {
    for (KubeletField field : payload.kubelet().keySet()) {
      String place = field.place(template);
      if (!place.isEmpty() && (pointer.equals(place) || pointer.startsWith(place + "/"))) {
        return payload.pointer(field) + pointer.substring(place.length());
      }
    }
    return "";
  }
}
