package dev.vertlet.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The printer of each resource. */
public final class Printers {
  static final String NONE = "<none>";

  /** For resources without columns of their own. */
  private static final Printer DEFAULT =
      new Simple(
          List.of(Column.NAME, new Column("Created At", "date", "", 0)),
          object -> List.of(Json.text(object, "metadata", "creationTimestamp")),
          false);

  private static final Map<String, Printer> BY_RESOURCE =
      Map.ofEntries(
          Map.entry("pods", new PodPrinter()),
          Map.entry("nodes", new NodePrinter()),
          Map.entry("services", new ServicePrinter()),
          Map.entry("events", new EventPrinter()),
          Map.entry("events.events.k8s.io", new EventPrinter()),
          Map.entry("namespaces", aged(List.of(Column.text("Status")), Printers::namespace)),
          Map.entry("configmaps", aged(List.of(Column.text("Data")), Printers::configMap)),
          Map.entry(
              "secrets", aged(List.of(Column.text("Type"), Column.text("Data")), Printers::secret)),
          Map.entry("nodes.metrics.k8s.io", new MetricsPrinter()),
          Map.entry("pods.metrics.k8s.io", new MetricsPrinter()),
          Map.entry("serviceaccounts", aged(List.of(), account -> List.of())),
          Map.entry(
              "leases.coordination.k8s.io", aged(List.of(Column.text("Holder")), Printers::lease)),
          Map.entry(
              "poddisruptionbudgets.policy",
              aged(
                  List.of(
                      Column.text("Min Available"),
                      Column.text("Max Unavailable"),
                      Column.integer("Allowed Disruptions")),
                  Printers::disruptionBudget)));

  private Printers() {}

  /** The printer of a resource; unknown ones get name and creation time. */
  public static Printer of(ResourceType type) {
    return BY_RESOURCE.getOrDefault(type.qualifiedResource(), DEFAULT);
  }

  /** Name, some columns, age. */
  private static Printer aged(List<Column> middle, Function<ObjectNode, List<Object>> cells) {
    List<Column> columns = new ArrayList<>(List.of(Column.NAME));
    columns.addAll(middle);
    columns.add(Column.AGE);
    return new Simple(columns, cells, true);
  }

  /**
   * A printer of name, a few fields and perhaps the age.
   *
   * @param middle the cells after the name and before the age
   */
  private record Simple(
      List<Column> columns, Function<ObjectNode, List<Object>> middle, boolean aged)
      implements Printer {
    @Override
    public List<Object> cells(ObjectNode object, Instant now) {
      List<Object> cells = new ArrayList<>();
      cells.add(name(object));
      cells.addAll(middle.apply(object));
      if (aged) {
        cells.add(age(object, now));
      }
      return cells;
    }
  }

  static String name(ObjectNode object) {
    return Json.text(object, "metadata", "name");
  }

  static String age(ObjectNode object, Instant now) {
    return Ages.since(Json.at(object, "metadata", "creationTimestamp"), now);
  }

  /** The text, or a place holder for none. */
  static String orNone(String text) {
    return text.isEmpty() ? NONE : text;
  }

  private static List<Object> namespace(ObjectNode namespace) {
    return List.of(Json.text(namespace, "status", "phase"));
  }

  private static List<Object> configMap(ObjectNode map) {
    return List.of((long) map.path("data").size() + map.path("binaryData").size());
  }

  private static List<Object> secret(ObjectNode secret) {
    return List.of(Json.text(secret, "type"), (long) secret.path("data").size());
  }

  private static List<Object> lease(ObjectNode lease) {
    return List.of(Json.text(lease, "spec", "holderIdentity"));
  }

  private static List<Object> disruptionBudget(ObjectNode budget) {
    JsonNode spec = budget.path("spec");
    return List.of(
        spec.path("minAvailable").asText("N/A"),
        spec.path("maxUnavailable").asText("N/A"),
        Json.at(budget, "status", "disruptionsAllowed").asLong(0));
  }
}
