package dev.vertlet.harness.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A real Prometheus of a test's own, which scrapes one agent every second; its configuration and
 * samples are in one folder.
 */
final class Prometheus implements AutoCloseable {
  static final String PROGRAM = "prometheus";

  private static final Pattern LISTENS = Pattern.compile("address=127\\.0\\.0\\.1:([1-9][0-9]*)");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final int port;

  /**
   * @param target host and port
   * @param namespace label of all it scrapes, as {@code pod}: what a PodMonitor adds
   * @param rules a file of rules
   */
  Prometheus(Path folder, String target, String namespace, String pod, String rules)
      throws IOException {
    Files.writeString(folder.resolve("rules.yml"), rules);
    Path config =
        Files.writeString(
            folder.resolve("prometheus.yml"),
            """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: [rules.yml]
            scrape_configs:
              - job_name: vertlet
                static_configs:
                  - targets: ["%s"]
                    labels: {namespace: %s, pod: %s}
            """
                .formatted(target, namespace, pod));
    process =
        Launcher.process(
                folder,
                List.of(
                    PROGRAM,
                    "--config.file=" + config,
                    "--storage.tsdb.path=" + folder.resolve("samples"),
                    "--web.listen-address=127.0.0.1:0"))
            .start();
    port = Launcher.port(process, folder, LISTENS);
  }

  /** What a query comes to now: objects with {@code metric}, the labels, and {@code value}. */
  JsonNode query(String query) throws IOException, InterruptedException {
    return get("query?query=" + URLEncoder.encode(query, UTF_8)).path("result");
  }

  /** The rules that were read, with their {@code health} and {@code lastError}. */
  JsonNode rules() throws IOException, InterruptedException {
    return get("rules").at("/groups/0/rules");
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/" + path);
    HttpResponse<String> answer =
        http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body()).path("data");
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly();
    int unused = Waits.exit(process);
  }
}
