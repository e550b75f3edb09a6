package dev.vertlet.harness.it;

import dev.vertlet.testsupport.Waits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A back end of docs/examples/remote, whose containers are processes of this machine. */
final class ExampleBackend implements AutoCloseable {
  private static final String READY = "listening on ";

  private final Process process;
  private final URI url;

  private ExampleBackend(Process process, URI url) {
    this.process = process;
    this.url = url;
  }

  /** Starts one and waits until it listens. */
  static ExampleBackend start(String file, int port) throws IOException {
    String program = file.endsWith(".mjs") ? "node" : "python3";
    Process process =
        new ProcessBuilder(List.of(program, file, "--port", String.valueOf(port)))
            .directory(Path.of("../../docs/examples/remote").toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = output.readLine();
    if (line == null || !line.startsWith(READY)) {
      process.destroyForcibly();
      throw new AssertionError(file + " says " + line);
    }
    return new ExampleBackend(process, URI.create(line.substring(READY.length())));
  }

  String url() {
    return url.toString();
  }

  int port() {
    return url.getPort();
  }

  @Override
  public void close() throws InterruptedException {
    Waits.end(process);
  }
}
