package dev.vertlet.apiserver.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/** Resources that a pod needs: resource name to quantity, from its {@code spec}. */
public final class PodResources {
  private static final String HUGE_PAGES = "hugepages-";

  private PodResources() {}

  /** Whether a pod as a whole can have amounts of the resource. */
  public static boolean isOfPod(String resource) {
    return resource.equals("cpu") || resource.equals("memory") || isHugePages(resource);
  }

  public static boolean isHugePages(String resource) {
    return resource.startsWith(HUGE_PAGES);
  }

  /** Requests with overhead; those of the pod as a whole replace those of its containers. */
  public static Map<String, JsonNode> requests(JsonNode spec) {
    Map<String, JsonNode> requests = ofContainers(spec, "requests");
    for (Map.Entry<String, JsonNode> own : Json.at(spec, "resources", "requests").properties()) {
      if (isOfPod(own.getKey())) {
        requests.put(own.getKey(), own.getValue());
      }
    }
    add(requests, spec.path("overhead"));
    return requests;
  }

  /**
   * Containers at once, init containers one after the other beside the sidecars before them.
   *
   * @param kind {@code requests} or {@code limits}
   */
  public static Map<String, JsonNode> ofContainers(JsonNode spec, String kind) {
    Map<String, JsonNode> running = new TreeMap<>();
    for (JsonNode container : spec.path("containers")) {
      add(running, Json.at(container, "resources", kind));
    }
    Map<String, JsonNode> sidecars = new TreeMap<>();
    Map<String, JsonNode> starting = new TreeMap<>();
    for (JsonNode container : spec.path("initContainers")) {
      JsonNode own = Json.at(container, "resources", kind);
      Map<String, JsonNode> peak = new TreeMap<>();
      add(peak, own);
      sidecars.forEach((name, amount) -> peak.merge(name, amount, Quantities::sum));
      peak.forEach((name, amount) -> starting.merge(name, amount, PodResources::larger));
      if (container.path("restartPolicy").asText().equals("Always")) {
        add(running, own);
        sidecars = peak;
      }
    }
    starting.forEach((name, amount) -> running.merge(name, amount, PodResources::larger));
    return running;
  }

  private static void add(Map<String, JsonNode> sum, JsonNode more) {
    more.properties()
        .forEach(amount -> sum.merge(amount.getKey(), amount.getValue(), Quantities::sum));
  }

  private static JsonNode larger(JsonNode one, JsonNode other) {
    return Quantities.exact(other).compareTo(Quantities.exact(one)) > 0 ? other : one;
  }
}
