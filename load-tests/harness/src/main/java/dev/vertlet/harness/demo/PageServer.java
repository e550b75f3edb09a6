package dev.vertlet.harness.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Program of the pods of {@code vertlet demo --provider process}: serves a small page on a loopback
 * port and logs each request on standard output. Uses the JDK alone.
 */
public final class PageServer {
  /** Path for probes; such requests are not logged. */
  static final String HEALTH = "/healthz";

  private final long pid = ProcessHandle.current().pid();
  private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final String pod;
  private final String node;
  private int requests;

  private PageServer(String pod, String node) {
    this.pod = pod;
    this.node = node;
  }

  /**
   * Serves until this process ends, or that of the demo: one that is killed ends no pods.
   *
   * @param args port, and PID of the demo
   */
  public static void main(String[] args) throws IOException {
    Map<String, String> environment = System.getenv();
    PageServer page =
        new PageServer(
            environment.getOrDefault("POD_NAME", ""), environment.getOrDefault("NODE_NAME", ""));
    HttpServer server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 0);
    server.createContext("/", page::answer);
    server.createContext(HEALTH, exchange -> send(exchange, "ok\n"));
    server.start();
    ProcessHandle.of(Long.parseLong(args[1]))
        .map(ProcessHandle::onExit)
        .orElseGet(() -> CompletableFuture.completedFuture(null))
        .thenRun(() -> System.exit(0));
    System.out.printf("process %d serves %s on port %s%n", page.pid, page.pod, args[0]);
  }

  /** Runs on the server's only thread. */
  private void answer(HttpExchange exchange) throws IOException {
    requests++;
    System.out.printf(
        "%s %s from port %d%n",
        exchange.getRequestMethod(),
        exchange.getRequestURI().getRawPath(),
        exchange.getRemoteAddress().getPort());
    send(
        exchange,
        """
        Hello from pod %s on node %s.
        I am process %d of user %s, running since %s; this is request %d.
        """
            .formatted(pod, node, pid, System.getProperty("user.name"), started, requests));
  }

  private static void send(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
