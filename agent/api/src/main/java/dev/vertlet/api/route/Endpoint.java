package dev.vertlet.api.route;

import java.util.List;
import java.util.Set;

/** Endpoints of the server. */
public enum Endpoint {
  HEALTHZ("healthz", Scope.AGENT, true, List.of("healthz", "proxy"), "GET"),
  PODS("pods", Scope.NODE, true, List.of("pods", "proxy"), "GET"),
  RUNNING_PODS("runningpods", Scope.NODE, false, List.of("pods", "proxy"), "GET"),
  CONTAINER_LOGS("containerLogs", Scope.POD, false, List.of("proxy"), "GET"),
  EXEC("exec", Scope.POD, false, List.of("proxy"), "GET", "POST"),
  ATTACH("attach", Scope.POD, false, List.of("proxy"), "GET", "POST"),
  RUN("run", Scope.POD, false, List.of("proxy"), "POST"),
  PORT_FORWARD("portForward", Scope.POD, false, List.of("proxy"), "GET", "POST"),
  STATS_SUMMARY("stats", Scope.NODE, true, List.of("stats"), "GET", "POST"),
  METRICS("metrics", Scope.AGENT, true, List.of("metrics"), "GET"),
  METRICS_RESOURCE("metrics/resource", Scope.NODE, true, List.of("metrics"), "GET"),
  METRICS_PROBES("metrics/probes", Scope.NODE, true, List.of("metrics"), "GET"),
  METRICS_CADVISOR("metrics/cadvisor", Scope.NODE, true, List.of("metrics"), "GET"),
  CONFIGZ("configz", Scope.NODE, false, List.of("configz", "proxy"), "GET"),
  LOGS("logs", Scope.AGENT, false, List.of("log"), "GET"),
  CHECKPOINT("checkpoint", Scope.POD, false, List.of("checkpoint"), "POST"),
  PPROF("debug", Scope.AGENT, false, List.of("proxy"), "GET"),
  NOTHING("other", Scope.AGENT, true, List.of("proxy"));

  /** Object that a path must name. */
  public enum Scope {
    /** The agent as a whole. */
    AGENT,
    /** One node. */
    NODE,
    /** A pod, whose node is known. */
    POD
  }

  /** Endpoints that {@code enableDebuggingHandlers: false} disables, as on a kubelet. */
  private static final Set<Endpoint> DEBUGGING =
      Set.of(RUN, EXEC, ATTACH, PORT_FORWARD, CONTAINER_LOGS, RUNNING_PODS, LOGS, PPROF);

  /** First path segments with further path parameters in a kubelet. */
  private static final Set<String> WITH_PARAMETERS =
      Set.of(
          "attach",
          "checkpoint",
          "containerLogs",
          "exec",
          "logs",
          "pods",
          "portForward",
          "run",
          "runningpods",
          "stats");

  private final String path;
  private final Scope scope;
  private final boolean open;
  private final List<String> subresources;
  private final Set<String> methods;

  Endpoint(String path, Scope scope, boolean open, List<String> subresources, String... methods) {
    this.path = path;
    this.scope = scope;
    this.open = open;
    this.subresources = subresources;
    this.methods = Set.of(methods);
  }

  /** Returns the path as in metric labels. */
  public String path() {
    return path;
  }

  public Scope scope() {
    return scope;
  }

  /** Returns whether it is served without debugging handlers and on the read-only port. */
  public boolean open() {
    return open;
  }

  public boolean debugging() {
    return DEBUGGING.contains(this);
  }

  /** Returns whether a kubelet has path parameters after this first segment. */
  public static boolean withParameters(String segment) {
    return WITH_PARAMETERS.contains(segment);
  }

  /** Returns the node subresources to authorize; one allowed subresource suffices. */
  List<String> subresources() {
    return subresources;
  }

  public Set<String> methods() {
    return methods;
  }
}
