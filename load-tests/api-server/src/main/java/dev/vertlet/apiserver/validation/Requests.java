package dev.vertlet.apiserver.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.vertlet.apiserver.api.Quantities;
import java.math.BigDecimal;

/** What the containers of a pod request together. */
final class Requests {
  /** A sum, and how it is shown: in the form of its first part. */
  record Sum(BigDecimal amount, String shown) {}

  private Requests() {}

  /** Containers at once, init containers one after the other beside the sidecars before them. */
  static Sum of(JsonNode spec, String resource) {
    BigDecimal running = BigDecimal.ZERO;
    String form = "";
    for (JsonNode container : spec.path("containers")) {
      JsonNode request = container.path("resources").path("requests").path(resource);
      running = running.add(Quantities.exact(request));
      form = form.isEmpty() ? request.asText("") : form;
    }
    BigDecimal sidecars = BigDecimal.ZERO;
    BigDecimal starting = BigDecimal.ZERO;
    for (JsonNode container : spec.path("initContainers")) {
      JsonNode request = container.path("resources").path("requests").path(resource);
      BigDecimal own = Quantities.exact(request);
      starting = starting.max(sidecars.add(own));
      if (container.path("restartPolicy").asText().equals("Always")) {
        sidecars = sidecars.add(own);
      }
      form = form.isEmpty() ? request.asText("") : form;
    }
    BigDecimal amount = running.add(sidecars).max(starting);
    String binary =
        form.endsWith("i")
            ? amount.divide(BigDecimal.valueOf(1024)).toPlainString() + "Ki"
            : amount.toPlainString();
    return new Sum(amount, Quantities.canonical(TextNode.valueOf(binary)));
  }
}
