package dev.vertlet.remote;

import dev.vertlet.testsupport.Waits;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A back end of docs/examples/remote as a process of its own, on any free port. */
public final class ReferenceBackend implements AutoCloseable {
  private static final Path EXAMPLES = Path.of("../../docs/examples/remote");
  private static final String READY = "listening on ";

  private final String file;
  private final Process process;
  private final String url;

  private ReferenceBackend(String file, Process process, String url) {
    this.file = file;
    this.process = process;
    this.url = url;
  }

  /** Starts a back end and waits until it listens. */
  static ReferenceBackend start(String file) {
    return start(file, 0);
  }

  /** Kills this one and starts it again on its port. */
  ReferenceBackend killAndStart() throws InterruptedException {
    process.destroyForcibly().waitFor();
    return start(file, URI.create(url).getPort());
  }

  private static ReferenceBackend start(String file, int port) {
    String program = file.endsWith(".mjs") ? "node" : "python3";
    List<String> command = List.of(program, file, "--port", String.valueOf(port));
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(EXAMPLES.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      BufferedReader output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String line = output.readLine();
      if (line == null || !line.startsWith(READY)) {
        process.destroyForcibly();
        throw new AssertionError(file + " says " + line);
      }
      return new ReferenceBackend(file, process, line.substring(READY.length()));
    } catch (IOException e) {
      Assumptions.assumeTrue("true".equals(System.getenv("CI")), e.getMessage());
      throw new UncheckedIOException(e);
    }
  }

  String url() {
    return url;
  }

  JsonObject settings() {
    return new JsonObject().put("url", url);
  }

  /** Spec of a pod whose process writes to both outputs, runs on, and ends on SIGTERM. */
  public static JsonObject runningSpec() {
    String script =
        "trap 'exit 0' TERM; echo begins; echo problem >&2; while :; do sleep 0.1; done";
    JsonObject container =
        new JsonObject()
            .put("name", "main")
            .put("image", "example.com/tck:1")
            .put("imagePullPolicy", "IfNotPresent")
            .put("command", new JsonArray().add("sh").add("-c").add(script));
    return new JsonObject().put("containers", new JsonArray().add(container));
  }

  /** Memory that the process has. */
  long residentBytes() {
    try {
      String line =
          Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "status")).stream()
              .filter(text -> text.startsWith("VmRSS:"))
              .findFirst()
              .orElseThrow();
      return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    Waits.end(process);
  }
}
