package dev.vertlet.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.Quantities;
import java.time.Instant;
import java.util.List;

/** Prints NodeMetrics and PodMetrics, with the columns of metrics-server. */
final class MetricsPrinter implements Printer {
  private static final List<Column> COLUMNS =
      List.of(
          Column.NAME,
          Column.formatted("cpu", "quantity"),
          Column.formatted("memory", "quantity"),
          Column.formatted("Window", "duration"));

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<Object> cells(ObjectNode metrics, Instant now) {
    long nanoCores = Quantities.nano(Json.at(metrics, "usage", "cpu"));
    long bytes = Quantities.value(Json.at(metrics, "usage", "memory"));
    for (JsonNode container : metrics.path("containers")) { // a pod has no usage of its own
      nanoCores += Quantities.nano(Json.at(container, "usage", "cpu"));
      bytes += Quantities.value(Json.at(container, "usage", "memory"));
    }
    return List.of(
        Printers.name(metrics),
        Quantities.ofNano(nanoCores),
        Quantities.ofBytes(bytes),
        Json.text(metrics, "window"));
  }
}
