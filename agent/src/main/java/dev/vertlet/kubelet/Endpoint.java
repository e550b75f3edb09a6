package dev.vertlet.kubelet;

import java.util.List;
import java.util.Set;

/** What the server offers. */
enum Endpoint {
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

  /** What a path has to say before it is clear what is meant. */
  enum Scope {
    /** The whole agent. */
    AGENT,
    /** One node. */
    NODE,
    /** A pod, which knows its node. */
    POD
  }

  /** Those that {@code enableDebuggingHandlers: false} refuses, as a kubelet does. */
  private static final Set<Endpoint> DEBUGGING =
      Set.of(RUN, EXEC, ATTACH, PORT_FORWARD, CONTAINER_LOGS, RUNNING_PODS, LOGS, PPROF);

  /** First segments of the paths below which a kubelet looks for more. */
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

  /** As metrics name it. */
  String path() {
    return path;
  }

  Scope scope() {
    return scope;
  }

  /** Whether it is there without debugging handlers and on the read-only port. */
  boolean open() {
    return open;
  }

  boolean debugging() {
    return DEBUGGING.contains(this);
  }

  /** Whether a kubelet looks for more below this first segment of a path. */
  static boolean withParameters(String segment) {
    return WITH_PARAMETERS.contains(segment);
  }

  /** Of {@code nodes}; one that is allowed suffices. */
  List<String> subresources() {
    return subresources;
  }

  Set<String> methods() {
    return methods;
  }
}
