package dev.vertlet.harness.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A real Prometheus of a test's own, which scrapes agents every second, with the labels that a
 * PodMonitor gives them; its configuration and samples are in one folder.
 */
final class Prometheus implements AutoCloseable {
  static final String PROGRAM = "prometheus";

  /** What checks and tests rules. */
  static final String RULES_PROGRAM = "promtool";

  private static final Pattern LISTENS = Pattern.compile("address=127\\.0\\.0\\.1:([1-9][0-9]*)");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> targets = new TreeMap<>();
  private final Path folder;
  private final Process process;
  private final int port;

  private Prometheus(Path folder, AlertRules rules) throws IOException {
    this.folder = folder;
    Files.writeString(folder.resolve("rules.yml"), rules.file());
    write();
    Path config =
        Files.writeString(
            folder.resolve("prometheus.yml"),
            """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: [rules.yml]
            scrape_configs:
              - job_name: vertlet
                file_sd_configs:
                  - files: [targets.json]
                    refresh_interval: 1s
            """);
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

  /** One that scrapes nobody yet, in a folder of its own below the given one. */
  static Prometheus start(Path folder, AlertRules rules) throws IOException {
    return new Prometheus(Files.createDirectory(folder.resolve("prometheus")), rules);
  }

  /**
   * Scrapes an agent from now on, and waits until it answers.
   *
   * @param pod its label
   */
  void scrape(String pod, AgentProcess agent) throws IOException {
    targets.put(pod, agent.address());
    write();
    Waits.eventually(
        () -> assertThat(query("up{pod=\"%s\"} == 1".formatted(pod))).as(pod).isNotEmpty());
  }

  /** Finds the pod no longer, as when it was deleted. */
  void forget(String pod) throws IOException {
    targets.remove(pod);
    write();
  }

  private void write() throws IOException {
    ArrayNode all = JSON.createArrayNode();
    targets.forEach(
        (pod, target) -> {
          ObjectNode one = all.addObject();
          one.putArray("targets").add(target);
          one.putObject("labels").put("namespace", "vertlet-system").put("pod", pod);
        });
    // it may read at any time
    Path whole = Files.writeString(folder.resolve("targets.new"), all.toString());
    Files.move(whole, folder.resolve("targets.json"), StandardCopyOption.REPLACE_EXISTING);
  }

  /** What a query comes to now: objects with {@code metric}, the labels, and {@code value}. */
  JsonNode query(String query) throws IOException, InterruptedException {
    return get("query?query=" + URLEncoder.encode(query, UTF_8)).path("result");
  }

  /** The rules that were read, with their {@code health} and {@code lastError}. */
  JsonNode rules() throws IOException, InterruptedException {
    return get("rules").at("/groups/0/rules");
  }

  /** Alerts that fire now or will, with {@code labels}, {@code annotations} and {@code state}. */
  JsonNode alerts() throws IOException, InterruptedException {
    return get("alerts").path("alerts");
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
