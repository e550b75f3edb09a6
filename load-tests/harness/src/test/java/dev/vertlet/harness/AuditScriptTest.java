package dev.vertlet.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/audit}, which asks a service that a test plays. */
@EnabledIf("hasTools")
class AuditScriptTest {
  private static final Path SCRIPT = Path.of("..", "..", ".ci", "audit");
  private static final String GOOD = "pkg:maven/org.example/good@1.0";
  private static final String BAD = "pkg:maven/org.example/bad@2.0";
  private static final String HOLE =
      "audit: GHSA-1 maven/org.example/bad 2.0, fixed in 2.1, severity HIGH";

  @TempDir private Path folder;

  /** Ids of vulnerabilities by package; read by the server's thread. */
  private final Map<String, List<String>> holes = new ConcurrentHashMap<>();

  private volatile int status = 200; // read by the server's thread
  private HttpServer server;
  private String url;

  static boolean hasTools() {
    return List.of("jq", "curl", "go").stream()
        .allMatch(
            tool ->
                List.of(System.getenv("PATH").split(":")).stream()
                    .anyMatch(bin -> Files.isExecutable(Path.of(bin, tool))));
  }

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/querybatch", this::batch);
    server.createContext("/v1/vulns/", AuditScriptTest::vulnerability);
    server.start();
    url = "http://127.0.0.1:" + server.getAddress().getPort();
    bill(component(GOOD, "Apache-2.0"), component(BAD, "MIT"));
    accept("");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void batch(HttpExchange exchange) throws IOException {
    JsonObject asked = new JsonObject(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    JsonArray results = new JsonArray();
    for (Object each : asked.getJsonArray("queries")) {
      results.add(result((JsonObject) each));
    }
    answer(exchange, status, new JsonObject().put("results", results));
  }

  private JsonObject result(JsonObject query) {
    String purl = query.getJsonObject("package").getString("purl");
    assertThat(purl).matches("pkg:[a-z]+/[^@]+/[^@]+@.+"); // OSV reads no others
    JsonArray vulns = new JsonArray();
    holes.getOrDefault(purl, List.of()).forEach(id -> vulns.add(new JsonObject().put("id", id)));
    return vulns.isEmpty() ? new JsonObject() : new JsonObject().put("vulns", vulns);
  }

  private static void vulnerability(HttpExchange exchange) throws IOException {
    String id = exchange.getRequestURI().getPath().replaceAll(".*/", "");
    JsonObject range =
        new JsonObject()
            .put(
                "events",
                JsonArray.of(
                    new JsonObject().put("introduced", "0"), new JsonObject().put("fixed", "2.1")));
    answer(
        exchange,
        200,
        new JsonObject()
            .put("id", id)
            .put("aliases", JsonArray.of(id.replace("GHSA", "CVE")))
            .put("database_specific", new JsonObject().put("severity", "HIGH"))
            .put(
                "affected",
                JsonArray.of(
                    new JsonObject()
                        .put("package", new JsonObject().put("name", "org.example:bad"))
                        .put("ranges", JsonArray.of(range)))));
  }

  private static void answer(HttpExchange exchange, int status, JsonObject body)
      throws IOException {
    byte[] bytes = body.toBuffer().getBytes();
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static JsonObject component(String purl, String licence) {
    return new JsonObject()
        .put("purl", purl + "?type=jar")
        .put(
            "licenses",
            JsonArray.of(new JsonObject().put("license", new JsonObject().put("id", licence))));
  }

  private void bill(JsonObject... components) throws IOException {
    Files.writeString(
        folder.resolve("sbom.json"),
        new JsonObject()
            .put("bomFormat", "CycloneDX")
            .put("components", new JsonArray(List.of((Object[]) components)))
            .encode());
  }

  private void accept(String lines) throws IOException {
    Files.writeString(folder.resolve("accepted"), "# why not\n\n" + lines);
  }

  /** Fails unless it ends with that code; what it says. */
  private List<String> audit(int code) throws Exception {
    Path out = folder.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(
                SCRIPT.toAbsolutePath().normalize().toString(),
                folder.resolve("sbom.json").toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("VERTLET_AUDIT_URL", url);
    builder.environment().put("VERTLET_AUDIT_ACCEPTED", folder.resolve("accepted").toString());
    builder.environment().put("no_proxy", "*");
    assertThat(Waits.exit(builder.start())).as(Files.readString(out)).isEqualTo(code);
    return Files.readAllLines(out);
  }

  @Test
  void aVulnerabilityFailsWithWhatMendsIt() throws Exception {
    holes.put(BAD, List.of("GHSA-1"));

    assertThat(audit(1)).containsExactly(HOLE);
  }

  @Test
  void anAcceptedOneIsPassedOverByAnyOfItsNames() throws Exception {
    holes.put(BAD, List.of("GHSA-1"));
    accept("CVE-1 maven/org.example/bad 2999-12-31 what it needs is never called\n");

    assertThat(audit(0)).hasSize(1);
  }

  @Test
  void licencesHaveToBeAmongThoseThatAreAllowed() throws Exception {
    status = 500;
    JsonObject offersTwo = component("pkg:maven/org.example/two@1", "LGPL-2.1-only");
    offersTwo
        .getJsonArray("licenses")
        .add(new JsonObject().put("license", new JsonObject().put("id", "EPL-2.0")));
    JsonObject needsBoth =
        component(BAD, "MIT")
            .put(
                "licenses",
                JsonArray.of(new JsonObject().put("expression", "MIT AND GPL-3.0-only")));
    bill(
        offersTwo,
        needsBoth,
        component(GOOD, "AGPL-3.0-only"),
        new JsonObject().put("purl", "pkg:maven/org.example/none@1"));

    assertThat(audit(1))
        .containsExactly(
            "audit: licence AGPL-3.0-only: maven/org.example/good@1.0 is under no allowed one",
            "audit: licence MIT AND GPL-3.0-only: maven/org.example/bad@2.0 is under no allowed"
                + " one",
            "audit: licence unknown: maven/org.example/none@1 is under no allowed one");
  }
}
