package dev.vertlet.harness.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.RunJson;
import dev.vertlet.harness.result.SampleRuns;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class HarnessCommandsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  @Command(name = "vertlet")
  private static final class Root {}

  private int run(String... args) {
    CommandLine root = new CommandLine(new Root());
    new HarnessCommands().contribute(root, ended);
    return root.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          demo --nodes 0                  | --nodes: 0 must be from 1 to 10000
          demo --nodes 10001              | --nodes: 10001 must be from 1 to 10000
          demo --nodes 2 --pods 20001     | --pods: 20001 must be from 0 to 20000, 10000 for each node
          demo --pods -1                  | --pods: -1 must be from 0 to 100000, 10000 for each node
          demo --port 65536               | --port: 65536 must be from 0 to 65535
          demo --provider remote          | (case-sensitive) but was 'remote'
          demo --provider process --nodes 1 | --nodes does not go with --provider process, whose only node is this machine
          demo --provider process --pods 101 | --pods: 101 must be from 0 to 100
          demo --timeout 5                | --timeout: "5" must be a duration such as 90s or 10m
          demo --timeout 10ms             | --timeout: "10ms" must be at least 1s
          api-server --port -1            | --port: -1 must be from 0 to 65535
          api-server --state src          | /src is a directory and must be a file
          api-server --state pom.xml/x    | /pom.xml cannot be made a directory
          load-test --rate 0              | --rate: 0.0 must be above 0
          load-test --rate NaN            | --rate: NaN must be above 0
          load-test --target no-such-file | "no-such-file" must be embedded, control-plane, or a kubeconfig file that can be read
          load-test --agent-kubeconfig x  | --agent-kubeconfig: needs a --target that is a kubeconfig file
          load-test --target pom.xml --agent-kubeconfig x | --agent-kubeconfig: "x" must be a kubeconfig file that can be read
          load-test --subject nobody      | --subject: "nobody" is no subject; there are
          load-test --compare x=          | --compare: "x=" must be followed by a command
          load-test --compare vertlet     | --compare: two subjects are named vertlet
          load-test --runs 0              | --runs: 0 must be from 1 to 100
          load-test --json no/where.json  | --json: "no/where.json" must be a file in a directory that can be written
          load-test --scenario no-such-file --rate 1 | --rate: does not go with --scenario
          load-test --profile slow        | but was 'slow'
          nodes create                    | Missing required option: '--count=N'
          nodes create --count -1         | --count: -1 must be from 0 to 100000
          nodes scale --count 100001      | --count: 100001 must be from 0 to 100000
          nodes scale --count 1 --name-prefix A | --name-prefix: "A" must be a lowercase RFC 1123 subdomain: it
          nodes create --count 1 --concurrency 0 | --concurrency: 0 must be from 1 to 1000
          nodes create --count 1 --timeout 5 | --timeout: "5" must be a duration such as 90s or 10m
          nodes create --count 1 -o yaml  | but was 'yaml'
          nodes delete a --name-prefix b  | NAME does not go with --selector and --name-prefix
          load-report                     | Missing required parameter: 'FILE'
          load-report no-such-file        | "no-such-file" is not there
          load-report src                 | "src" cannot be read
          load-report pom.xml             | "pom.xml" must be the JSON that load-test --json writes
          """)
  void wrongUsageNamesOptionValueAndWhatIsAllowed(String command, String message) {
    assertThat(run(command.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void somebodysClusterIsNotUsedUnasked(@TempDir Path dir) throws Exception {
    Path kubeconfig = Files.createFile(dir.resolve("kubeconfig"));

    assertThat(run("load-test", "--target", kubeconfig.toString(), "--nodes", "2")).isEqualTo(2);
    assertThat(err.toString())
        .contains("creates 2 nodes", "--yes is needed where there is no terminal to ask on");
  }

  @Test
  void keptResultsArePutSideBySide(@TempDir Path dir) throws Exception {
    Path one = dir.resolve("one.json");
    Path several = dir.resolve("several.json");
    Files.writeString(one, RunJson.of(SampleRuns.vertlet(1)).encode());
    Files.writeString(
        several,
        RunJson.of(
                new Comparison(
                    List.of(SampleRuns.vertlet(2), SampleRuns.run("kwok-64", 1.5, 1, 0))))
            .encode());

    assertThat(
            run(
                "load-report",
                one.toString(),
                several.toString(),
                "--report=" + dir.resolve("report.html"),
                "--junit=" + dir.resolve("junit.xml")))
        .isZero();

    assertThat(out.toString().lines())
        .anyMatch(line -> line.matches(" +vertlet +kwok-64 +× vertlet"))
        .anyMatch(line -> line.matches("runs \\(figures are their medians\\) +2 +1"));
    assertThat(dir.resolve("report.html")).content().contains("<!DOCTYPE html>", "kwok-64");
    assertThat(dir.resolve("junit.xml")).content().contains("<testsuites>");
    assertThat(err.toString().lines())
        .containsExactly(
            "--report: written to " + dir.resolve("report.html"),
            "--junit: written to " + dir.resolve("junit.xml"));
  }

  @Test
  void whatIsNoResultIsSaidWithItsField(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("other.json"), "{\"format\": 7}");
    Path empty = Files.writeString(dir.resolve("empty.json"), "{\"runs\": []}");

    assertThat(run("load-report", file.toString())).isEqualTo(2);
    assertThat(run("load-report", empty.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "other.json\" is no result of a load test: format: 7 must be 1",
            "empty.json\" holds no run");
  }

  @Test
  void theDemoEndsWithOneLineOfJson() {
    assertThat(run("demo", "--once", "--nodes", "2", "--pods", "20")).isZero();

    String last = out.toString().lines().reduce("", (before, line) -> line);
    JsonObject result = new JsonObject(last);
    assertThat(result.getInteger("nodes")).isEqualTo(2);
    assertThat(result.getInteger("pods")).isEqualTo(20);
    assertThat(result.getInteger("ready")).isEqualTo(20);
    assertThat(result.getInteger("gone")).isEqualTo(20);
    assertThat(result.getInteger("errors")).isZero();
    assertThat(result.getDouble("up_per_s")).isPositive();
    assertThat(result.getDouble("up_p99_ms")).isGreaterThanOrEqualTo(result.getDouble("up_p50_ms"));
    assertThat(result.getDouble("down_p99_ms")).isPositive();
    assertThat(result.fieldNames()).contains("down_p50_ms", "rss_mb");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void theDemoOfProcessesRunsOnePageForEachPod() {
    assertThat(run("demo", "--provider", "process", "--once", "--pods", "2")).isZero();

    JsonObject result = new JsonObject(out.toString());
    assertThat(result.getInteger("nodes")).isEqualTo(1);
    assertThat(result.getInteger("ready")).isEqualTo(2);
    assertThat(result.getInteger("gone")).isEqualTo(2);
    assertThat(result.getInteger("errors")).isZero();
  }

  @Test
  void withoutPodsThereIsNothingToMeasure() {
    assertThat(run("demo", "--once", "--nodes", "1", "--pods", "0")).isZero();

    JsonObject result = new JsonObject(out.toString());
    assertThat(result.getInteger("ready")).isZero();
    assertThat(result.getDouble("up_p50_ms")).isNull();
  }

  @Test
  void onceThatIsStoppedHasFailed() {
    ended.complete(null);

    assertThat(run("demo", "--once", "--nodes", "1", "--pods", "1")).isNotZero();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void stateAndWhatOpensItAreForTheirOwnerAlone(@TempDir Path dir) throws Exception {
    Path state = dir.resolve("cluster");
    ended.complete(null);

    assertThat(run("api-server", "--state", state.toString())).isZero();
    String token = Files.readString(dir.resolve("cluster.token"));
    assertThat(run("api-server", "--state", state.toString())).isZero();

    assertThat(Files.readString(dir.resolve("cluster.token"))).isEqualTo(token).hasSize(33);
    try (var files = Files.list(dir)) {
      assertThat(files)
          .isNotEmpty()
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .isEqualTo("rw-------"));
    }
  }

  @Test
  void aTokenFileWithoutATokenIsNotUsed(@TempDir Path dir) throws Exception {
    Path token = Files.writeString(dir.resolve("cluster.token"), "\n");

    assertThat(run("api-server", "--state", dir.resolve("cluster").toString())).isEqualTo(1);
    assertThat(err.toString()).contains(token + " holds no token; delete it for a new one");
  }

  @Test
  void serversThatAreStoppedAtOnceEndInOrder() {
    ended.complete(null);

    assertThat(run("demo", "--nodes", "1", "--pods", "1")).isZero();
    assertThat(run("api-server")).isZero();
  }
}
