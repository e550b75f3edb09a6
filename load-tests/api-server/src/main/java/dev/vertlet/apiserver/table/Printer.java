package dev.vertlet.apiserver.table;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.time.Instant;
import java.util.List;

/** Prints the objects of one resource. */
public interface Printer {
  /** The columns, those of {@code -o wide} included. */
  List<Column> columns();

  /** One cell per column: texts and integers. */
  List<Object> cells(ObjectNode object, Instant now);

  /** Conditions of the row; clients may show or hide rows by them. */
  default ArrayNode conditions(ObjectNode object) {
    return Json.array();
  }
}
