package dev.vertlet.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.time.Instant;
import java.util.List;

/** Prints pods. */
final class PodPrinter implements Printer {
  private static final List<Column> COLUMNS =
      List.of(
          Column.NAME,
          Column.text("Ready"),
          Column.text("Status"),
          Column.text("Restarts"),
          Column.AGE,
          Column.wide("IP"),
          Column.wide("Node"),
          Column.wide("Nominated Node"),
          Column.wide("Readiness Gates"));

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<Object> cells(ObjectNode pod, Instant now) {
    PodSummary summary = PodSummary.of(pod);
    return List.of(
        Printers.name(pod),
        summary.ready() + "/" + summary.total(),
        summary.reason(),
        restarts(summary, now),
        Printers.age(pod, now),
        Printers.orNone(Json.at(pod, "status", "podIPs").path(0).path("ip").asText("")),
        Printers.orNone(Json.text(pod, "spec", "nodeName")),
        Printers.orNone(Json.text(pod, "status", "nominatedNodeName")),
        gates(pod));
  }

  private static String restarts(PodSummary summary, Instant now) {
    String count = Integer.toString(summary.restarts());
    return summary.restarts() == 0
        ? count
        : summary
            .lastRestart()
            .map(last -> "%s (%s ago)".formatted(count, Ages.between(last, now)))
            .orElse(count);
  }

  private static String gates(ObjectNode pod) {
    JsonNode gates = Json.at(pod, "spec", "readinessGates");
    if (gates.isEmpty()) {
      return Printers.NONE;
    }
    int open = 0;
    for (JsonNode gate : gates) {
      open += PodSummary.hasCondition(pod, gate.path("conditionType").asText()) ? 1 : 0;
    }
    return open + "/" + gates.size();
  }

  @Override
  public ArrayNode conditions(ObjectNode pod) {
    ArrayNode conditions = Json.array();
    String phase = Json.text(pod, "status", "phase");
    if (phase.equals("Succeeded") || phase.equals("Failed")) {
      conditions
          .addObject()
          .put("type", "Completed")
          .put("status", "True")
          .put("reason", phase)
          .put(
              "message",
              phase.equals("Failed") ? "The pod failed." : "The pod has completed successfully.");
    }
    return conditions;
  }
}
