package dev.vertlet.api.route;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Meaning of a path.
 *
 * @param node node name after {@code /nodes/}; empty for none
 * @param namespace namespace of the pod; empty for none
 * @param pod name of the pod
 * @param uid UID of the pod; empty for none
 * @param container name of the container; empty for none
 * @param rest rest of the path: a check's name, a file's path; the whole of an unknown path
 */
public record Route(
    Endpoint endpoint,
    String node,
    String namespace,
    String pod,
    String uid,
    String container,
    List<String> rest) {
  private static final String NODES = "nodes";

  public Route {
    rest = List.copyOf(rest);
  }

  /**
   * Parses a path.
   *
   * @param segments null for a rejected path
   */
  public static Route of(@Nullable List<String> segments) {
    if (segments == null || segments.isEmpty()) {
      return unknown("", List.of());
    }
    boolean named = segments.get(0).equals(NODES) && segments.size() > 2;
    String node = named ? segments.get(1) : "";
    List<String> path = named ? segments.subList(2, segments.size()) : segments;
    List<String> rest = path.subList(1, path.size());
    return switch (path.get(0)) {
      case "healthz" -> rest.size() < 2 ? with(Endpoint.HEALTHZ, node, rest) : unknown(node, path);
      case "pods" -> bare(Endpoint.PODS, node, path);
      case "runningpods" -> bare(Endpoint.RUNNING_PODS, node, path);
      case "containerLogs" -> pod(Endpoint.CONTAINER_LOGS, node, path, true, false);
      case "exec" -> pod(Endpoint.EXEC, node, path, true, true);
      case "attach" -> pod(Endpoint.ATTACH, node, path, true, true);
      case "run" -> pod(Endpoint.RUN, node, path, true, true);
      case "portForward" -> pod(Endpoint.PORT_FORWARD, node, path, false, true);
      case "checkpoint" -> pod(Endpoint.CHECKPOINT, node, path, true, false);
      case "stats" -> summary(node, path);
      case "metrics" -> metrics(node, path);
      case "configz" -> bare(Endpoint.CONFIGZ, node, path);
      case "logs" -> with(Endpoint.LOGS, node, rest);
      case "debug" ->
          !rest.isEmpty() && rest.get(0).equals("pprof")
              ? with(Endpoint.PPROF, node, rest)
              : unknown(node, path);
      default -> unknown(node, path);
    };
  }

  /** Returns the node subresources to authorize; an unknown path has those of its neighbours. */
  public List<String> subresources() {
    if (endpoint != Endpoint.NOTHING || rest.isEmpty()) {
      return endpoint.subresources();
    }
    return switch (rest.get(0)) {
      case "healthz" -> Endpoint.HEALTHZ.subresources();
      case "pods", "runningpods" -> Endpoint.PODS.subresources();
      case "stats" -> Endpoint.STATS_SUMMARY.subresources();
      case "metrics" -> Endpoint.METRICS.subresources();
      case "configz" -> Endpoint.CONFIGZ.subresources();
      case "checkpoint" -> Endpoint.CHECKPOINT.subresources();
      default -> endpoint.subresources();
    };
  }

  private static Route metrics(String node, List<String> path) {
    if (path.size() == 1) {
      return nothing(Endpoint.METRICS, node);
    }
    return switch (String.join("/", path.subList(1, path.size()))) {
      case "resource" -> nothing(Endpoint.METRICS_RESOURCE, node);
      case "probes" -> nothing(Endpoint.METRICS_PROBES, node);
      case "cadvisor" -> nothing(Endpoint.METRICS_CADVISOR, node);
      default -> unknown(node, path);
    };
  }

  private static Route bare(Endpoint endpoint, String node, List<String> path) {
    return path.size() == 1 ? nothing(endpoint, node) : unknown(node, path);
  }

  private static Route summary(String node, List<String> path) {
    boolean known = path.size() == 2 && path.get(1).equals("summary");
    return known ? nothing(Endpoint.STATS_SUMMARY, node) : unknown(node, path);
  }

  private static Route pod(
      Endpoint endpoint, String node, List<String> path, boolean hasContainer, boolean mayHaveUid) {
    int least = hasContainer ? 4 : 3;
    boolean hasUid = mayHaveUid && path.size() == least + 1;
    if (path.size() != least && !hasUid) {
      return unknown(node, path);
    }
    return new Route(
        endpoint,
        node,
        path.get(1),
        path.get(2),
        hasUid ? path.get(3) : "",
        hasContainer ? path.get(path.size() - 1) : "",
        List.of());
  }

  private static Route with(Endpoint endpoint, String node, List<String> rest) {
    return new Route(endpoint, node, "", "", "", "", rest);
  }

  private static Route nothing(Endpoint endpoint, String node) {
    return with(endpoint, node, List.of());
  }

  private static Route unknown(String node, List<String> path) {
    return with(Endpoint.NOTHING, node, path);
  }
}
