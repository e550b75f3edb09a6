package dev.vertlet.model.pod;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.resource.RequestTally;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requested amount of each resource.
 *
 * @param milliCpu thousandths of a CPU
 * @param memory bytes
 * @param ephemeralStorage bytes
 * @param others extended resources and huge pages by name, whole units, none of them 0
 */
public record PodRequests(
    long milliCpu, long memory, long ephemeralStorage, Map<String, Long> others) {
  public static final PodRequests NONE = new PodRequests(0, 0, 0, Map.of());

  public PodRequests {
    others = Map.copyOf(others);
  }

  /**
   * Adds up the requests of a pod as the API has it, as the scheduler does.
   *
   * @param spec JSON of a pod's spec
   * @throws DecodeException for a malformed quantity
   */
  public static PodRequests of(JsonNode spec) {
    RequestTally tally = new RequestTally();
    for (JsonNode container : spec.path("initContainers")) {
      boolean sidecar = container.path("restartPolicy").asText().equals("Always");
      tally.init(quantities(container.path("resources").path("requests")), sidecar);
    }
    for (JsonNode container : spec.path("containers")) {
      tally.regular(quantities(container.path("resources").path("requests")));
    }
    return tally.requests(
        quantities(spec.path("resources").path("requests")), quantities(spec.path("overhead")));
  }

  private static Map<String, String> quantities(JsonNode json) {
    Map<String, String> quantities = new HashMap<>();
    json.properties().forEach(each -> quantities.put(each.getKey(), each.getValue().asText()));
    return quantities;
  }

  public boolean isEmpty() {
    return milliCpu == 0 && memory == 0 && ephemeralStorage == 0 && others.isEmpty();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof PodRequests that
            && milliCpu == that.milliCpu
            && memory == that.memory
            && ephemeralStorage == that.ephemeralStorage
            && others.equals(that.others);
  }

  @Override
  public int hashCode() {
    int hash = Long.hashCode(milliCpu);
    hash = 31 * hash + Long.hashCode(memory);
    hash = 31 * hash + Long.hashCode(ephemeralStorage);
    return 31 * hash + others.hashCode();
  }
}
