package dev.vertlet.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks a pod with the API server's most basic rules and messages. The API server judges the rest:
 * if it rejects the mirror pod, the static pod runs nevertheless.
 */
final class PodCheck {
  private static final int MAX_PORT = 65_535;
  private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");
  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");

  private final List<String> problems = new ArrayList<>();
  private final Set<String> containerNames = new HashSet<>();

  private PodCheck() {}

  /** Returns one line for each problem: field, problem, value, rule. */
  static List<String> problems(JsonNode pod) {
    PodCheck check = new PodCheck();
    check.metadata(pod.path("metadata"));
    check.spec(pod.path("spec"));
    return check.problems;
  }

  private void metadata(JsonNode metadata) {
    name("metadata.name", metadata.path("name"), Names.checkSubdomain(text(metadata, "name")));
    name(
        "metadata.namespace",
        metadata.path("namespace"),
        Names.checkLabel(text(metadata, "namespace")));
    for (String section : List.of("labels", "annotations")) {
      metadata
          .path(section)
          .fields()
          .forEachRemaining(
              field -> {
                String key = field.getKey();
                invalid("metadata." + section, key, Names.checkLabelKey(key));
                if (!field.getValue().isTextual() && !field.getValue().isNull()) {
                  problems.add("metadata." + section + "[" + key + "]: must be a string");
                }
              });
    }
    metadata
        .path("labels")
        .forEach(
            value ->
                invalid("metadata.labels", value.asText(), Names.checkLabelValue(value.asText())));
  }

  private void spec(JsonNode spec) {
    containers(spec, "initContainers");
    if (spec.path("containers").isEmpty()) {
      problems.add("spec.containers: Required value");
    }
    containers(spec, "containers");
    if (!spec.path("ephemeralContainers").isEmpty()) {
      problems.add("spec.ephemeralContainers: Forbidden: cannot be set on create");
    }
    oneOf("spec.restartPolicy", spec.path("restartPolicy"), RESTART_POLICIES);
    JsonNode grace = spec.path("terminationGracePeriodSeconds");
    if (grace.isNumber() && grace.asLong() < 0) {
      problems.add(
          "spec.terminationGracePeriodSeconds: Invalid value: "
              + grace.asLong()
              + ": must be greater than or equal to 0");
    }
  }

  private void containers(JsonNode spec, String list) {
    int index = 0;
    for (JsonNode container : spec.path(list)) {
      container("spec." + list + "[" + index++ + "]", container);
    }
  }

  private void container(String at, JsonNode container) {
    String name = text(container, "name");
    if (name(at + ".name", container.path("name"), Names.checkLabel(name))
        && !containerNames.add(name)) {
      problems.add(at + ".name: Duplicate value: \"" + name + "\"");
    }
    if (text(container, "image").isEmpty()) {
      problems.add(at + ".image: Required value");
    }
    oneOf(at + ".imagePullPolicy", container.path("imagePullPolicy"), PULL_POLICIES);
    int index = 0;
    for (JsonNode port : container.path("ports")) {
      port(at + ".ports[" + index + "].containerPort", port.path("containerPort"), 1);
      port(at + ".ports[" + index++ + "].hostPort", port.path("hostPort"), 0);
    }
  }

  private void port(String at, JsonNode port, int least) {
    long number = port.asLong();
    if (port.isMissingNode() && least > 0) {
      problems.add(at + ": Required value");
    } else if (port.isNumber() && (number < least || number > MAX_PORT)) {
      problems.add(
          at
              + ": Invalid value: "
              + number
              + ": must be between 1 and "
              + MAX_PORT
              + ", inclusive");
    }
  }

  private void oneOf(String at, JsonNode value, List<String> allowed) {
    if (value.isTextual() && !allowed.contains(value.textValue())) {
      String quoted = "\"" + String.join("\", \"", allowed) + "\"";
      problems.add(
          at + ": Unsupported value: \"" + value.textValue() + "\": supported values: " + quoted);
    }
  }

  /** Checks a name; returns whether it is present and valid. */
  private boolean name(String at, JsonNode value, Optional<String> brokenRule) {
    if (value.asText().isEmpty()) {
      problems.add(at + ": Required value");
      return false;
    }
    invalid(at, value.asText(), brokenRule);
    return brokenRule.isEmpty();
  }

  private void invalid(String at, String value, Optional<String> brokenRule) {
    brokenRule.ifPresent(rule -> problems.add(at + ": Invalid value: \"" + value + "\": " + rule));
  }

  private static String text(JsonNode object, String field) {
    return object.path(field).asText();
  }
}
