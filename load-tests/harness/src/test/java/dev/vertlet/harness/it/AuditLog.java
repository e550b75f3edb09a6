package dev.vertlet.harness.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.harness.cluster.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the API server says that agents have written, which is what happened, whoever believes what:
 * all times are those of one clock. Immutable.
 */
final class AuditLog {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String OWNER = "vertlet.dev/agent";

  private final List<Write> writes;

  /** By node: who has been given its Lease since when, by the time of the answer. */
  private final Map<String, NavigableMap<Instant, String>> owners = new HashMap<>();

  private AuditLog(List<Write> writes) {
    this.writes = writes;
    for (Write write : writes) {
      if (write.resource().equals("leases") && write.namespace().equals("kube-node-lease")) {
        owners
            .computeIfAbsent(write.name(), node -> new TreeMap<>())
            .put(write.answered(), write.owner());
      }
    }
  }

  /**
   * One successful write of an agent.
   *
   * @param agent its identity
   * @param resource with its subresource, such as {@code pods/status}
   * @param owner whom a Lease was given to; empty in all else
   */
  record Write(
      String agent,
      String verb,
      String resource,
      String namespace,
      String name,
      String owner,
      Instant received,
      Instant answered) {}

  /** Reads what has been written so far. */
  static AuditLog read(ControlPlane plane) throws IOException {
    Path file = plane.auditLog().orElseThrow();
    List<Write> writes = new ArrayList<>();
    try (Stream<String> lines = Files.lines(file)) {
      for (String line : (Iterable<String>) lines::iterator) {
        // most lines are of others, and parsing them all takes seconds
        if (line.contains("\"userAgent\":\"vertlet/") && line.endsWith("}")) {
          JsonNode event = JSON.readTree(line);
          int code = event.at("/responseStatus/code").asInt();
          if (code >= 200 && code < 300) {
            writes.add(write(event));
          }
        }
      }
    }
    writes.sort(Comparator.comparing(Write::answered));
    return new AuditLog(List.copyOf(writes));
  }

  private static Write write(JsonNode event) {
    JsonNode object = event.path("objectRef");
    String sub = object.path("subresource").asText("");
    String client = event.path("userAgent").asText();
    return new Write(
        client.substring(client.indexOf('(') + 1, client.lastIndexOf(')')),
        event.path("verb").asText(),
        object.path("resource").asText() + (sub.isEmpty() ? "" : "/" + sub),
        object.path("namespace").asText(),
        object.path("name").asText(),
        event.at("/requestObject/metadata/annotations").path(OWNER).asText(""),
        Instant.parse(event.path("requestReceivedTimestamp").asText()),
        Instant.parse(event.path("stageTimestamp").asText()));
  }

  /** All of them, in the order of their answers. */
  List<Write> writes() {
    return writes;
  }

  /** Who had the node's Lease then; empty when nobody had. */
  String owner(String node, Instant at) {
    NavigableMap<Instant, String> known = owners.getOrDefault(node, new TreeMap<>());
    Map.Entry<Instant, String> last = known.floorEntry(at);
    return last == null ? "" : last.getValue();
  }

  /** How long after that moment somebody else than its owner of then got the node's Lease. */
  Duration takenOverAfter(String node, Instant moment) {
    String before = owner(node, moment);
    return owners.getOrDefault(node, new TreeMap<>()).tailMap(moment, false).entrySet().stream()
        .filter(change -> !change.getValue().equals(before) && !change.getValue().isEmpty())
        .findFirst()
        .map(change -> Duration.between(moment, change.getKey()))
        .orElseThrow(() -> new AssertionError("nobody took over " + node + " of " + before));
  }
}
