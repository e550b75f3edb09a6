package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.http.Form.Encoding;
import dev.vertlet.apiserver.registry.Page;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoredObject;
import dev.vertlet.apiserver.table.Column;
import dev.vertlet.apiserver.table.Printer;
import dev.vertlet.apiserver.table.Printers;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Instant;
import java.util.List;

/** Rows of cells, ready to be shown. Ages make the bytes depend on the time, so none are shared. */
final class TableRepresentation implements Representation {
  /** What a row tells of its object. */
  private enum Include {
    NONE,
    METADATA,
    OBJECT
  }

  private final Resource resource;
  private final Include include;
  private final Clock clock;
  private final Printer printer;

  /** A watch sends the columns with its first table only. */
  private boolean columnsSent;

  private TableRepresentation(Resource resource, Include include, Clock clock) {
    this.resource = resource;
    this.include = include;
    this.clock = clock;
    this.printer = Printers.of(resource.type());
  }

  /**
   * @param includeObject the query parameter, empty for its default
   */
  static TableRepresentation of(Resource resource, String includeObject, Clock clock) {
    return new TableRepresentation(resource, include(includeObject), clock);
  }

  private static Include include(String parameter) {
    return switch (parameter) {
      case "None" -> Include.NONE;
      case "", "Metadata" -> Include.METADATA;
      case "Object" -> Include.OBJECT;
      default ->
          throw ApiException.badRequest(
              "Unable to convert to Table as requested: includeObject: Invalid value: \"%s\": must be 'Metadata', 'Object', 'None', or empty"
                  .formatted(parameter));
    };
  }

  @Override
  public Encoding encoding() {
    return Encoding.JSON;
  }

  @Override
  public String shareName() {
    return "";
  }

  @Override
  public Buffer object(StoredObject object) {
    return Buffer.buffer(Json.bytes(tableOf(object, include, true)));
  }

  @Override
  public Buffer list(Page page) {
    return Buffer.buffer(
        Json.bytes(table(Representation.metadata(page), page.items(), include, true)));
  }

  @Override
  public Buffer event(String type, StoredObject object) {
    ObjectNode table = tableOf(object, include, !columnsSent);
    columnsSent = true;
    return JsonRepresentation.line(type, table);
  }

  private ObjectNode tableOf(StoredObject object, Include rows, boolean withColumns) {
    ObjectNode metadata = Json.object();
    metadata.put("resourceVersion", Json.text(object.json(), "metadata", "resourceVersion"));
    return table(metadata, List.of(object), rows, withColumns);
  }

  @Override
  public Buffer bookmark(long revision, boolean endsInitial) {
    ObjectNode zero = Json.object();
    zero.set("metadata", Representation.metadata(revision, endsInitial));
    zero.setAll(resource.strategy().zeroValue());
    // its row carries the metadata in any case: the news is there
    ObjectNode table = tableOf(ObjectStore.unsaved(zero), Include.METADATA, !columnsSent);
    columnsSent = true;
    return JsonRepresentation.line("BOOKMARK", table);
  }

  @Override
  public Buffer error(ObjectNode status) {
    return JsonRepresentation.line("ERROR", status);
  }

  @Override
  public Buffer malformed(String type) {
    return new JsonRepresentation(resource, Form.View.FULL).malformed(type);
  }

  private ObjectNode table(
      ObjectNode metadata, List<StoredObject> objects, Include including, boolean withColumns) {
    ObjectNode table = Json.object().put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
    table.set("metadata", metadata);
    if (withColumns) {
      ArrayNode columns = table.putArray("columnDefinitions");
      printer.columns().forEach(column -> columns.add(definition(column)));
    } else {
      table.putNull("columnDefinitions");
    }
    Instant now = clock.instant();
    ArrayNode rows = table.putArray("rows");
    objects.forEach(object -> rows.add(row(object, including, now)));
    return table;
  }

  private static ObjectNode definition(Column column) {
    return Json.object()
        .put("name", column.name())
        .put("type", column.type())
        .put("format", column.format())
        .put("description", "")
        .put("priority", column.priority());
  }

  private ObjectNode row(StoredObject object, Include including, Instant now) {
    ObjectNode row = Json.object();
    ArrayNode cells = row.putArray("cells");
    for (Object cell : printer.cells(object.json(), now)) {
      if (cell instanceof Long number) {
        cells.add(number);
      } else {
        cells.add(cell.toString());
      }
    }
    ArrayNode conditions = printer.conditions(object.json());
    if (!conditions.isEmpty()) {
      row.set("conditions", conditions);
    }
    if (including == Include.NONE) {
      row.putNull("object");
    } else if (including == Include.METADATA) {
      ObjectNode partial = row.putObject("object");
      partial.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
      partial.set("metadata", object.json().path("metadata"));
    } else {
      ObjectNode whole = row.putObject("object");
      whole.put("kind", resource.type().kind()).put("apiVersion", resource.type().apiVersion());
      whole.setAll(resource.conversion().encode(object.json()));
    }
    return row;
  }
}
