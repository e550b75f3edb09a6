package dev.vertlet.harness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  private final AtomicInteger questions = new AtomicInteger();
  private volatile int status = 200; // read by the server's thread
  private volatile boolean paged; // read by the server's thread
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
    questions.incrementAndGet();
    JsonObject asked = new JsonObject(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    JsonArray results = new JsonArray();
    for (Object each : asked.getJsonArray("queries")) {
      results.add(result((JsonObject) each));
    }
    answer(exchange, status, new JsonObject().put("results", results));
  }

  /** One a page where there are pages: the token is how many were seen. */
  private JsonObject result(JsonObject query) {
    List<String> ids = holes.getOrDefault(asked(query), List.of());
    int from = Integer.parseInt(query.getString("page_token", "0"));
    int to = paged ? Math.min(from + 1, ids.size()) : ids.size();
    JsonObject result = new JsonObject();
    JsonArray vulns = new JsonArray();
    ids.subList(from, to).forEach(id -> vulns.add(new JsonObject().put("id", id)));
    if (!vulns.isEmpty()) {
      result.put("vulns", vulns);
    }
    return to < ids.size() ? result.put("next_page_token", "" + to) : result;
  }

  /** As OSV does, which cannot read a purl of Go without a slash in its name. */
  private static String asked(JsonObject query) {
    JsonObject one = query.getJsonObject("package");
    if (!one.containsKey("purl")) {
      return "%s %s %s"
          .formatted(one.getString("ecosystem"), one.getString("name"), query.getString("version"));
    }
    assertThat(one.getString("purl")).matches("pkg:[a-z]+/[^@]+/[^@]+@.+");
    return one.getString("purl");
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
    return audit(code, folder.resolve("sbom.json"), Map.of());
  }

  private List<String> audit(int code, Path file, Map<String, String> environment)
      throws Exception {
    Path out = folder.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(SCRIPT.toAbsolutePath().normalize().toString(), file.toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("VERTLET_AUDIT_URL", url);
    builder.environment().put("VERTLET_AUDIT_ACCEPTED", folder.resolve("accepted").toString());
    builder.environment().put("no_proxy", "*");
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(out)).isEqualTo(code);
    return Files.readAllLines(out);
  }

  @Test
  void whereNothingIsKnownItSaysHowManyWereAskedFor() throws Exception {
    assertThat(audit(0))
        .containsExactly("audit: 2 packages, nothing that is known and not accepted");
  }

  @Test
  void aVulnerabilityFailsWithWhatMendsIt() throws Exception {
    holes.put(BAD, List.of("GHSA-1"));

    assertThat(audit(1)).containsExactly(HOLE);
  }

  @Test
  void oneOfTwoNamesIsToldOnce() throws Exception {
    holes.put(BAD, List.of("GHSA-1", "CVE-1"));

    assertThat(audit(1)).containsExactly(HOLE);
  }

  @Test
  void anAcceptedOneIsPassedOverByAnyOfItsNames() throws Exception {
    holes.put(BAD, List.of("GHSA-1"));
    accept("CVE-1 maven/org.example/bad 2999-12-31 what it needs is never called\n");

    assertThat(audit(0)).hasSize(1);
  }

  @Test
  void allOfAVersionOfAPackageMayBeAccepted() throws Exception {
    holes.put(BAD, List.of("GHSA-1", "GHSA-2"));
    holes.put(GOOD, List.of("GHSA-3"));
    accept("* maven/org.example/bad@2.0 2999-12-31 it is for tests alone\n");

    assertThat(audit(1))
        .containsExactly(
            "audit: GHSA-3 maven/org.example/good 1.0, fixed in unknown, severity HIGH");
  }

  @Test
  void allOfWhateverVersionIsRefused() throws Exception {
    accept("* maven/org.example/bad 2999-12-31 it is for tests alone\n");

    assertThat(audit(2))
        .singleElement()
        .asString()
        .contains(
            "accepted, line 3: ", "a package with its version, as maven/org.example/bad@1.2.3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "GHSA-1"})
  void anotherVersionsIsNotAccepted(String id) throws Exception {
    holes.put(BAD, List.of("GHSA-1"));
    accept(id + " maven/org.example/bad@1.9 2999-12-31 what it needs is never called\n");

    assertThat(audit(1))
        .containsExactlyInAnyOrder(
            HOLE,
            "audit: accepted "
                + id
                + " of maven/org.example/bad@1.9, which is not found: take the line away");
  }

  @Test
  void anotherPackagesIsNotAccepted() throws Exception {
    holes.put(BAD, List.of("GHSA-1"));
    accept("GHSA-1 maven/org.example/good 2999-12-31 what it needs is never called\n");

    assertThat(audit(1))
        .containsExactlyInAnyOrder(
            HOLE,
            "audit: accepted GHSA-1 of maven/org.example/good, which is not found: take the line away");
  }

  @Test
  void whatIsAcceptedEndsOnItsDay() throws Exception {
    holes.put(BAD, List.of("GHSA-1"));
    accept("GHSA-1 maven/org.example/bad 2020-01-31 until it is mended\n");
    String past = "audit: accepted GHSA-1 of maven/org.example/bad until 2020-01-31, which is past";

    assertThat(audit(1)).containsExactly(past);
    status = 500;
    assertThat(audit(1)).as("nobody can be asked").containsExactly(past);
  }

  @Test
  void whatIsAcceptedAndNotFoundHasToGo() throws Exception {
    accept("GHSA-1 maven/org.example/bad 2999-12-31 what it needs is never called\n");

    assertThat(audit(1))
        .containsExactly(
            "audit: accepted GHSA-1 of maven/org.example/bad, which is not found: take the line away");
  }

  @Test
  void anEntryWithoutADayOrAReasonIsRefused() throws Exception {
    for (String line : List.of("GHSA-1 maven/x soon because", "GHSA-1 maven/x 2999-12-31")) {
      accept(line);

      assertThat(audit(2))
          .singleElement()
          .asString()
          .contains("accepted, line 3: \"" + line + "\"", "date as 2026-12-31, why");
    }
  }

  @Test
  void aServiceThatFailsWasNotAsked() throws Exception {
    status = 500;

    assertThat(audit(3))
        .singleElement()
        .asString()
        .startsWith("audit: " + url + " could not be asked about vulnerabilities: ")
        .contains("500");
  }

  @Test
  void aServiceThatIsNotThereWasNotAsked() throws Exception {
    server.stop(0);

    assertThat(audit(3))
        .singleElement()
        .asString()
        .startsWith("audit: " + url + " could not be asked about vulnerabilities: ");
  }

  @Test
  void manyPackagesAreAskedForInPartsAndManyVulnerabilitiesReadByPages() throws Exception {
    holes.put(BAD, List.of("GHSA-1", "GHSA-2", "GHSA-3"));
    paged = true;

    assertThat(audit(1, folder.resolve("sbom.json"), Map.of("VERTLET_AUDIT_BATCH", "1")))
        .containsExactly(HOLE, HOLE.replace("GHSA-1", "GHSA-2"), HOLE.replace("GHSA-1", "GHSA-3"));
    assertThat(questions).hasValue(4);
  }

  @Test
  void whatIsNoBillOfMaterialsIsRefused() throws Exception {
    for (String text : List.of("", "{", "{}", "{\"bomFormat\":\"CycloneDX\",\"components\":[]}")) {
      Path file = Files.writeString(folder.resolve("sbom.json"), text);

      assertThat(audit(2))
          .containsExactly(
              "audit: "
                  + file
                  + " is no bill of materials: a CycloneDX document with components, each with a purl");
    }
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
            "audit: licence MIT AND GPL-3.0-only: maven/org.example/bad@2.0 is under no allowed one",
            "audit: licence unknown: maven/org.example/none@1 is under no allowed one");
  }

  @Test
  void modulesOfGoAreAskedForAsTheyAreReplaced() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("go.mod"),
            """
            module example.org/this

            go 1.26.0

            require (
              example.org/one v1.2.3
              example.org/two v1.0.0+incompatible // indirect
            )

            replace example.org/one => example.org/other v1.3.0
            """);
    holes.put("pkg:golang/example.org/other@1.3.0", List.of("GHSA-7"));
    holes.put("pkg:golang/example.org/two@1.0.0", List.of("GHSA-8"));

    assertThat(audit(1, file, Map.of()))
        .containsExactly(
            "audit: GHSA-7 golang/example.org/other 1.3.0, fixed in unknown, severity HIGH",
            "audit: GHSA-8 golang/example.org/two 1.0.0, fixed in unknown, severity HIGH");
  }

  /** A {@code go} that says it is another version. Returns what has the script find it. */
  private Map<String, String> go(String version) throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    String path = System.getenv("PATH");
    Path go =
        Files.writeString(
            bin.resolve("go"),
            """
            #!/bin/sh
            [ "$*" != "env GOVERSION" ] || { echo '%s'; exit; }
            PATH='%s' exec go "$@"
            """
                .formatted(version, path));
    assertThat(go.toFile().setExecutable(true)).isTrue();
    return Map.of("PATH", bin + ":" + path);
  }

  private Path module() throws IOException {
    return Files.writeString(
        folder.resolve("go.mod"), "module example.org/this\n\nrequire example.org/one v1.2.3\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"go1.26.3", "go1.26.3 X:nodwarf5", "go1.26.3-X:jsonv2"})
  void theGoThatBuildsModulesIsAskedFor(String version) throws Exception {
    holes.put("Go stdlib 1.26.3", List.of("GO-1"));
    holes.put("Go toolchain 1.26.3", List.of("GO-2", "GO-3"));
    accept("GO-3 golang/toolchain@1.26.3 2999-12-31 nobody fetches anything\n");
    paged = true;

    assertThat(audit(1, module(), go(version)))
        .containsExactly(
            "audit: GO-1 golang/stdlib 1.26.3, fixed in unknown, severity HIGH",
            "audit: GO-2 golang/toolchain 1.26.3, fixed in unknown, severity HIGH");
  }

  @Test
  void theGoOfThisMachineIsAReleaseWhoseNumberIsKnown() throws Exception {
    assertThat(audit(0, module(), Map.of()))
        .containsExactly("audit: 3 packages, nothing that is known and not accepted");
  }

  @ParameterizedTest
  @ValueSource(strings = {"devel go1.27-0a1b2c3d", "go1.27rc1", ""})
  void aGoThatIsNoReleaseIsRefused(String version) throws Exception {
    assertThat(audit(2, module(), go(version)))
        .singleElement()
        .asString()
        .contains("go.mod is built by Go \"" + version + "\", of which nobody knows holes");
  }
}
