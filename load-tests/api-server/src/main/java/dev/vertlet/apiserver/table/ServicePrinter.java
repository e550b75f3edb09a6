package dev.vertlet.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Prints services. */
final class ServicePrinter implements Printer {
  private static final List<Column> COLUMNS =
      List.of(
          Column.NAME,
          Column.text("Type"),
          Column.text("Cluster-IP"),
          Column.text("External-IP"),
          Column.text("Port(s)"),
          Column.AGE,
          Column.wide("Selector"));

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<Object> cells(ObjectNode service, Instant now) {
    JsonNode spec = service.path("spec");
    return List.of(
        Printers.name(service),
        Json.text(spec, "type"),
        Printers.orNone(Json.text(spec, "clusterIP")),
        external(service),
        Printers.orNone(ports(spec)),
        Printers.age(service, now),
        Printers.orNone(selector(spec)));
  }

  private static String external(ObjectNode service) {
    JsonNode spec = service.path("spec");
    String type = Json.text(spec, "type");
    if (type.equals("ExternalName")) {
      return Json.text(spec, "externalName");
    }
    List<String> addresses = new ArrayList<>();
    if (type.equals("LoadBalancer")) {
      for (JsonNode ingress : Json.at(service, "status", "loadBalancer", "ingress")) {
        String ip = Json.text(ingress, "ip");
        addresses.add(ip.isEmpty() ? Json.text(ingress, "hostname") : ip);
      }
    }
    spec.path("externalIPs").forEach(ip -> addresses.add(ip.asText()));
    if (addresses.isEmpty()) {
      return type.equals("LoadBalancer") ? "<pending>" : Printers.NONE;
    }
    return String.join(",", addresses);
  }

  private static String ports(JsonNode spec) {
    List<String> ports = new ArrayList<>();
    for (JsonNode port : spec.path("ports")) {
      long nodePort = port.path("nodePort").asLong(0);
      ports.add(
          port.path("port").asText()
              + (nodePort > 0 ? ":" + nodePort : "")
              + "/"
              + port.path("protocol").asText());
    }
    return String.join(",", ports);
  }

  private static String selector(JsonNode spec) {
    TreeMap<String, String> sorted = new TreeMap<>();
    spec.path("selector")
        .properties()
        .forEach(label -> sorted.put(label.getKey(), label.getValue().asText()));
    return String.join(
        ",", sorted.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
  }
}
