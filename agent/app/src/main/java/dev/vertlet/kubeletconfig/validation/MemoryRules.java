package dev.vertlet.kubeletconfig.validation;

import static dev.vertlet.kubeletconfig.validation.GoText.quoted;

import dev.vertlet.model.resource.Quantities;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Rules for reserved, throttled and swap memory. */
final class MemoryRules {
  private static final String FACTOR = "memoryThrottlingFactor";
  private static final String POLICY = "memoryReservationPolicy";
  private static final String RESERVED = "reservedMemory";
  private static final String SWAP = "memorySwap.swapBehavior";
  private static final String TIERED = "TieredReservation";

  private MemoryRules() {}

  static void check(Judged judged) {
    throttling(judged);
    reservation(judged);
    Set<String> seen = new HashSet<>();
    List<JsonObject> nodes = judged.objects(RESERVED);
    for (int i = 0; i < nodes.size(); i++) {
      reserved(judged, nodes.get(i), i, seen);
    }
    judged.oneOf(
        SWAP,
        "",
        Set.of("", "LimitedSwap", "NoSwap"),
        SWAP + " %s must be one of: \"\", \"LimitedSwap\" or \"NoSwap\"");
  }

  private static void throttling(Judged judged) {
    Number factor = judged.number(FACTOR);
    if (factor != null) {
      double value = factor.doubleValue();
      judged.require(
          value > 0 && value <= 1,
          FACTOR,
          "%s %s must be greater than 0 and less than or equal to 1.0"
              .formatted(FACTOR, GoText.number(value)));
    }
  }

  private static void reservation(Judged judged) {
    String policy = judged.text(POLICY, "None");
    judged.require(
        !policy.equals(TIERED) || judged.enabled("MemoryQoS"),
        POLICY,
        "%s \"%s\" requires MemoryQoS feature gate to be enabled".formatted(POLICY, policy));
    judged.oneOf(
        POLICY,
        "None",
        Set.of("None", TIERED),
        "option %s specified for memoryReservationPolicy. Valid options are \"None\" or"
            + " \"TieredReservation\"");
  }

  private static void reserved(Judged judged, JsonObject json, int at, Set<String> seen) {
    Object node = json.getValue("numaNode") == null ? 0 : json.getValue("numaNode");
    if (!(json.getValue("limits") instanceof JsonObject limits)) {
      return;
    }
    for (Map.Entry<String, Object> limit : limits) {
      String resource = limit.getKey();
      if (!resource.equals("memory") && !resource.startsWith("hugepages-")) {
        refuse(
            judged,
            "the limit type %s for NUMA node %s is not supported, only [memory"
                + " hugepages-<HugePageSize>] is accepted",
            List.of(quoted(resource), node),
            at);
      }
      List<Object> which = List.of(node, quoted(resource));
      if (Quantities.isZero(String.valueOf(limit.getValue()))) {
        refuse(
            judged, "reserved memory may not be zero for NUMA node %s and resource %s", which, at);
      }
      if (!seen.add(node + "/" + resource)) {
        refuse(
            judged,
            "the reserved memory has a duplicate value for NUMA node %s and resource %s",
            which,
            at);
      }
    }
  }

  private static void refuse(Judged judged, String problem, List<Object> values, int at) {
    judged.invalid(RESERVED, problem.formatted(values.toArray()), at);
  }
}
