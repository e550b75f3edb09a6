package dev.vertlet.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Prints events in their stored form, {@code v1}. */
final class EventPrinter implements Printer {
  private static final List<Column> COLUMNS =
      List.of(
          Column.text("Last Seen"),
          Column.text("Type"),
          Column.text("Reason"),
          Column.text("Object"),
          Column.wide("Subobject"),
          Column.wide("Source"),
          Column.text("Message"),
          Column.wide("First Seen"),
          Column.wide("Count"),
          new Column("Name", "string", "name", 1));

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<Object> cells(ObjectNode event, Instant now) {
    JsonNode about = event.path("involvedObject");
    String name = Json.text(about, "name");
    String kind = Json.text(about, "kind").toLowerCase(Locale.ROOT);
    JsonNode first = firstSeen(event);
    return List.of(
        Ages.since(lastSeen(event, first), now),
        Json.text(event, "type"),
        Json.text(event, "reason"),
        name.isEmpty() ? kind : kind + "/" + name,
        Json.text(about, "fieldPath"),
        source(event),
        Json.text(event, "message").strip(),
        Ages.since(first, now),
        count(event),
        Printers.name(event));
  }

  private static JsonNode firstSeen(ObjectNode event) {
    JsonNode first = event.path("firstTimestamp");
    return first.isTextual() ? first : event.path("eventTime");
  }

  private static JsonNode lastSeen(ObjectNode event, JsonNode first) {
    if (event.get("series") instanceof ObjectNode series) {
      return series.path("lastObservedTime");
    }
    JsonNode last = event.path("lastTimestamp");
    return last.isTextual() ? last : first;
  }

  private static long count(ObjectNode event) {
    if (event.get("series") instanceof ObjectNode series) {
      return series.path("count").asLong(0);
    }
    return Math.max(1, event.path("count").asLong(1));
  }

  private static String source(ObjectNode event) {
    String component = firstOf(event, "component", "reportingComponent");
    String host = firstOf(event, "host", "reportingInstance");
    return host.isEmpty() ? component : component + ", " + host;
  }

  private static String firstOf(ObjectNode event, String inSource, String field) {
    String text = Json.text(event, "source", inSource);
    return text.isEmpty() ? Json.text(event, field) : text;
  }
}
