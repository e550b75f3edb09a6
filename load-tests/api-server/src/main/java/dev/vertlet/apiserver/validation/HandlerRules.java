package dev.vertlet.apiserver.validation;

import java.util.List;

/** Probes and lifecycle hooks of a container. */
final class HandlerRules {
  private static final List<String> OF_PROBES = List.of("exec", "httpGet", "tcpSocket", "grpc");
  private static final List<String> OF_HOOKS = List.of("exec", "httpGet", "tcpSocket", "sleep");

  private HandlerRules() {}

  /** Hooks and probes of a container that may have them. */
  static void each(FieldValue container, FieldValue gracePeriod) {
    for (String hook : List.of("postStart", "preStop")) {
      FieldValue handler = container.at("lifecycle", hook);
      if (handler.isPresent()) {
        handler(handler, OF_HOOKS, gracePeriod);
      }
    }
    succeedsOnce(probe(container.at("livenessProbe"), gracePeriod));
    FieldValue readiness = probe(container.at("readinessProbe"), gracePeriod);
    FieldValue grace = readiness.at("terminationGracePeriodSeconds");
    if (grace.isPresent()) {
      grace.invalid("must not be set for readinessProbes");
    }
    succeedsOnce(probe(container.at("startupProbe"), gracePeriod));
  }

  private static FieldValue probe(FieldValue probe, FieldValue gracePeriod) {
    if (probe.isPresent()) {
      handler(probe, OF_PROBES, gracePeriod);
      for (String number :
          List.of(
              "initialDelaySeconds",
              "timeoutSeconds",
              "periodSeconds",
              "successThreshold",
              "failureThreshold")) {
        probe.at(number).notNegative();
      }
      FieldValue grace = probe.at("terminationGracePeriodSeconds");
      if (grace.isPresent() && grace.number() <= 0) {
        grace.invalid("must be greater than 0");
      }
    }
    return probe;
  }

  private static void succeedsOnce(FieldValue probe) {
    FieldValue threshold = probe.at("successThreshold");
    if (threshold.isPresent() && threshold.number() != 1) {
      threshold.invalid("must be 1");
    }
  }

  private static void handler(FieldValue handler, List<String> kinds, FieldValue gracePeriod) {
    boolean found = false;
    for (String kind : kinds) {
      FieldValue action = handler.at(kind);
      if (!action.isPresent()) {
        continue;
      }
      if (found) {
        action.forbidden("may not specify more than 1 handler type");
      } else {
        found = true;
        action(kind, action, gracePeriod);
      }
    }
    if (!found) {
      handler.required("must specify a handler type");
    }
  }

  private static void action(String kind, FieldValue action, FieldValue gracePeriod) {
    switch (kind) {
      case "exec" -> action.at("command").requireAny();
      case "httpGet" -> http(action);
      case "sleep" -> sleep(action, gracePeriod);
      default -> action.at("port").port();
    }
  }

  private static void http(FieldValue get) {
    get.at("path").requireAny();
    get.at("port").port();
    get.at("scheme").oneOf("HTTP", "HTTPS");
    for (FieldValue header : get.at("httpHeaders").items()) {
      get.at("httpHeaders").reporting(header.at("name")).check(Format.HTTP_HEADER);
    }
  }

  private static void sleep(FieldValue sleep, FieldValue gracePeriod) {
    long seconds = sleep.at("seconds").number();
    if (seconds < 0 || seconds > gracePeriod.number()) {
      sleep.invalid(
          Long.toString(seconds),
          "must be non-negative and less than terminationGracePeriodSeconds (%d)"
              .formatted(gracePeriod.number()));
    }
  }
}
