package dev.vertlet.model.wire;

import dev.vertlet.model.container.ContainerCare;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.container.ProbeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads probes and hooks of one container. */
final class CareReader {
  private static final Fields PROBE =
      Fields.of(
          "1 handler",
          "2 initialDelaySeconds",
          "3 timeoutSeconds",
          "4 periodSeconds",
          "5 successThreshold",
          "6 failureThreshold",
          "7 terminationGracePeriodSeconds",
          "0 exec",
          "0 httpGet",
          "0 tcpSocket",
          "0 grpc");
  private static final Fields PROBE_HANDLER =
      Fields.of("1 exec", "2 httpGet", "3 tcpSocket", "4 grpc");
  private static final Fields LIFECYCLE = Fields.of("1 postStart", "2 preStop");
  private static final Fields HOOK_HANDLER =
      Fields.of("1 exec", "2 httpGet", "3 tcpSocket", "4 sleep");
  private static final Fields EXEC = Fields.of("1 command");
  private static final Fields HTTP_GET =
      Fields.of("1 path", "2 port", "3 host", "4 scheme", "5 httpHeaders");
  private static final Fields HEADER = Fields.of("1 name", "2 value");
  private static final Fields TCP_SOCKET = Fields.of("1 port", "2 host");
  private static final Fields GRPC = Fields.of("1 port", "2 service");
  private static final Fields SLEEP = Fields.of("1 seconds");
  private static final HandlerView UNKNOWN = new HandlerView.Unknown();

  private @Nullable ProbeView startup;
  private @Nullable ProbeView liveness;
  private @Nullable ProbeView readiness;
  private @Nullable HandlerView postStart;
  private @Nullable HandlerView preStop;

  /** Reads the current field of the container. */
  void read(ObjectReader in) {
    switch (in.field()) {
      case "startupProbe" -> startup = probe(in);
      case "livenessProbe" -> liveness = probe(in);
      case "readinessProbe" -> readiness = probe(in);
      case "lifecycle" -> lifecycle(in);
      default -> in.skip();
    }
  }

  /**
   * Returns probes and hooks, with numbers in place of port names; null without any.
   *
   * @param ports the container's, by name
   */
  @Nullable ContainerCare view(Map<String, String> ports) {
    boolean hooked = postStart != null || preStop != null;
    if (startup == null && liveness == null && readiness == null && !hooked) {
      return null;
    }
    return new ContainerCare(
        probe(startup, ports),
        probe(liveness, ports),
        probe(readiness, ports),
        postStart == null ? null : handler(postStart, ports),
        preStop == null ? null : handler(preStop, ports));
  }

  private static @Nullable ProbeView probe(@Nullable ProbeView p, Map<String, String> ports) {
    return p == null
        ? null
        : new ProbeView(
            handler(p.handler(), ports),
            p.initialDelaySeconds(),
            p.timeoutSeconds(),
            p.periodSeconds(),
            p.successThreshold(),
            p.failureThreshold(),
            p.terminationGracePeriodSeconds());
  }

  private static HandlerView handler(HandlerView handler, Map<String, String> ports) {
    if (handler instanceof HandlerView.HttpGet get && ports.containsKey(get.port())) {
      String port = ports.getOrDefault(get.port(), get.port());
      return new HandlerView.HttpGet(get.scheme(), get.host(), port, get.path(), get.headers());
    }
    if (handler instanceof HandlerView.TcpSocket tcp && ports.containsKey(tcp.port())) {
      return new HandlerView.TcpSocket(tcp.host(), ports.getOrDefault(tcp.port(), tcp.port()));
    }
    return handler;
  }

  private static ProbeView probe(ObjectReader in) {
    HandlerView handler = UNKNOWN;
    int delay = 0;
    int timeout = 0;
    int period = 0;
    int successes = 0;
    int failures = 0;
    Long grace = null;
    in.enter();
    while (in.next(PROBE)) {
      switch (in.field()) {
        case "handler" -> handler = handler(in, PROBE_HANDLER);
        case "initialDelaySeconds" -> delay = (int) in.integer();
        case "timeoutSeconds" -> timeout = (int) in.integer();
        case "periodSeconds" -> period = (int) in.integer();
        case "successThreshold" -> successes = (int) in.integer();
        case "failureThreshold" -> failures = (int) in.integer();
        case "terminationGracePeriodSeconds" -> grace = in.integer();
        default -> handler = action(in);
      }
    }
    return new ProbeView(handler, delay, timeout, period, successes, failures, grace);
  }

  private void lifecycle(ObjectReader in) {
    in.enter();
    while (in.next(LIFECYCLE)) {
      if (in.field().equals("postStart")) {
        postStart = handler(in, HOOK_HANDLER);
      } else {
        preStop = handler(in, HOOK_HANDLER);
      }
    }
  }

  private static HandlerView handler(ObjectReader in, Fields fields) {
    HandlerView handler = UNKNOWN;
    in.enter();
    while (in.next(fields)) {
      handler = action(in);
    }
    return handler;
  }

  private static HandlerView action(ObjectReader in) {
    return switch (in.field()) {
      case "exec" -> exec(in);
      case "httpGet" -> httpGet(in);
      case "tcpSocket" -> tcpSocket(in);
      case "grpc" -> grpc(in);
      default -> sleep(in);
    };
  }

  private static HandlerView exec(ObjectReader in) {
    List<String> command = new ArrayList<>(3);
    in.enter();
    while (in.next(EXEC)) {
      command.add(in.shared());
    }
    return new HandlerView.Exec(command);
  }

  private static HandlerView httpGet(ObjectReader in) {
    String path = "";
    String port = "";
    String host = "";
    String scheme = "HTTP";
    List<String> headers = new ArrayList<>(0);
    in.enter();
    while (in.next(HTTP_GET)) {
      switch (in.field()) {
        case "path" -> path = in.shared();
        case "port" -> port = in.numberOrText();
        case "host" -> host = in.shared();
        case "scheme" -> scheme = in.shared();
        default -> headers.add(header(in));
      }
    }
    return new HandlerView.HttpGet(scheme, host, port, path, headers);
  }

  private static String header(ObjectReader in) {
    String name = "";
    String value = "";
    in.enter();
    while (in.next(HEADER)) {
      if (in.field().equals("name")) {
        name = in.shared();
      } else {
        value = in.shared();
      }
    }
    return name + ": " + value;
  }

  private static HandlerView tcpSocket(ObjectReader in) {
    String port = "";
    String host = "";
    in.enter();
    while (in.next(TCP_SOCKET)) {
      if (in.field().equals("port")) {
        port = in.numberOrText();
      } else {
        host = in.shared();
      }
    }
    return new HandlerView.TcpSocket(host, port);
  }

  private static HandlerView grpc(ObjectReader in) {
    int port = 0;
    String service = "";
    in.enter();
    while (in.next(GRPC)) {
      if (in.field().equals("port")) {
        port = (int) in.integer();
      } else {
        service = in.shared();
      }
    }
    return new HandlerView.Grpc(port, service);
  }

  private static HandlerView sleep(ObjectReader in) {
    long seconds = 0;
    in.enter();
    while (in.next(SLEEP)) {
      seconds = in.integer();
    }
    return new HandlerView.Sleep(seconds);
  }
}
