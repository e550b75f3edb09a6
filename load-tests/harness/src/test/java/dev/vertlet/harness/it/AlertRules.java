package dev.vertlet.harness.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** The alerts that are shipped. */
final class AlertRules {
  /** What Prometheus and Grafana need. */
  static final Path SHIPPED = Path.of("..", "..", "k8s", "manifests", "components", "monitoring");

  private final JsonNode spec;

  private AlertRules(JsonNode spec) {
    this.spec = spec;
  }

  static AlertRules read() throws IOException {
    String resource = Files.readString(SHIPPED.resolve("prometheusrule.yaml"));
    return new AlertRules(Serialization.unmarshal(resource, JsonNode.class).path("spec"));
  }

  /** As Prometheus reads them. */
  String file() {
    return Serialization.asYaml(spec);
  }

  JsonNode rules() {
    return spec.at("/groups/0/rules");
  }

  Set<String> names() {
    Set<String> names = new TreeSet<>();
    rules().forEach(rule -> names.add(rule.path("alert").asText()));
    return names;
  }

  /**
   * The same for a Prometheus that looks each second and not each half minute: minutes of a window
   * are 30 s, and what has to last has to last for 5 s. What counts over an hour does so here, too.
   */
  AlertRules hurried() {
    JsonNode copy = spec.deepCopy();
    for (JsonNode rule : copy.at("/groups/0/rules")) {
      ObjectNode hurried = (ObjectNode) rule;
      hurried.put(
          "expr",
          rule.path("expr")
              .asText()
              .replaceAll("\\[[0-9]+m]", "[30s]")
              .replace("[2h:1m]", "[30s:1s]"));
      if (!rule.path("for").asText().equals("0m")) {
        hurried.put("for", "5s");
      }
    }
    return new AlertRules(copy);
  }
}
