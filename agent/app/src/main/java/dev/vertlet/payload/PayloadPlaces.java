package dev.vertlet.payload;

import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.payload.PayloadException.Reason;
import dev.vertlet.problem.Problem;
import java.util.List;
import java.util.Map;

/** Where in a payload the values of the document stand that it was laid on. */
final class PayloadPlaces {
  private final Payload payload;
  private final int template;

  /**
   * @param template index of the node's template
   */
  PayloadPlaces(Payload payload, int template) {
    this.payload = payload;
    this.template = template;
  }

  PayloadException refused(Reason reason, List<Problem> problems) {
    return new PayloadException(
        reason, problems.stream().map(problem -> inPayload(problem).toString()).toList());
  }

  /** Of the sections that are read strictly. */
  List<Problem> outsideKubelet(List<Problem> problems) {
    return problems.stream().filter(problem -> field(problem.pointer()).isEmpty()).toList();
  }

  private Problem inPayload(Problem problem) {
    String pointer = problem.pointer();
    String place = field(pointer);
    if (!place.isEmpty()) {
      return problem.at(place);
    }
    for (Map.Entry<String, String> section :
        Map.of("/nodes/" + template, "/node", "/simulated", "/provider/simulated").entrySet()) {
      if (pointer.startsWith(section.getKey() + "/")) {
        return problem.at(section.getValue() + pointer.substring(section.getKey().length()));
      }
    }
    return pointer.startsWith("/providers/settings/")
        ? problem.at("/provider" + pointer.substring("/providers".length()))
        : problem;
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
