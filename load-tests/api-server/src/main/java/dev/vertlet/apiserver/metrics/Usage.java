package dev.vertlet.apiserver.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.Quantities;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * What a node or a container takes.
 *
 * @param time when it was measured
 * @param nanoCores billionths of a core
 * @param memory the working set, in bytes
 */
record Usage(Instant time, long nanoCores, long memory) {
  /**
   * Reads the stats of one node or container; none where a part was not measured.
   *
   * @param stats with {@code cpu} and {@code memory}
   */
  static Optional<Usage> of(JsonNode stats) {
    JsonNode nanoCores = Json.at(stats, "cpu", "usageNanoCores");
    JsonNode memory = Json.at(stats, "memory", "workingSetBytes");
    if (!nanoCores.isIntegralNumber() || !memory.isIntegralNumber()) {
      return Optional.empty();
    }
    try {
      Instant time = OffsetDateTime.parse(Json.text(stats, "cpu", "time")).toInstant();
      return Optional.of(new Usage(time, nanoCores.asLong(), memory.asLong()));
    } catch (DateTimeParseException e) {
      return Optional.empty(); // as good as not measured
    }
  }

  /** As a resource list. */
  ObjectNode toJson() {
    return Json.object()
        .put("cpu", Quantities.ofNano(nanoCores))
        .put("memory", Quantities.ofBytes(memory));
  }
}
