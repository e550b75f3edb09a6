package dev.vertlet.harness.command;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.cli.FailedException;
import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.ConfigOverride;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.node.AdoptConfig;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import dev.vertlet.harness.nodes.NodeSet;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** As typed, against an API server that is embedded in the test. */
@ExtendWith(VertxExtension.class)
class NodesCommandTest {
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();
  private Exception failure = new Exception("none");

  @TempDir private Path dir;
  private EmbeddedApiServer server;
  private Path kubeconfig;

  @Command(name = "vertlet")
  private static final class Root {}

  @BeforeEach
  void start(Vertx vertx) throws Exception {
    server = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    kubeconfig = get(server.writeKubeconfig(dir.resolve("kubeconfig")));
  }

  private int run(String... args) {
    out = new StringWriter();
    err = new StringWriter();
    CommandLine root = new CommandLine(new Root());
    new HarnessCommands().contribute(root, ended);
    List<String> all = new ArrayList<>(List.of("nodes"));
    all.addAll(List.of(args));
    all.addAll(List.of("--kubeconfig", kubeconfig.toString()));
    return root.setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              failure = e;
              return 1;
            })
        .execute(all.toArray(String[]::new));
  }

  private List<String> nodes() throws Exception {
    return get(server.objects().list("nodes", "")).stream()
        .map(node -> node.at("/metadata/name").asText())
        .sorted()
        .toList();
  }

  @Test
  void createAndScaleTellWhatWasDone() throws Exception {
    assertThat(run("create", "--count", "3")).isZero();
    assertThat(out).hasToString("3 nodes created, 0 deleted, 0 kept\n");
    assertThat(run("create", "--count", "2", "-o", "name")).isZero();
    assertThat(out.toString()).isEmpty();
    assertThat(run("scale", "--count", "4", "-o", "name")).isZero();
    assertThat(out).hasToString("node/virtual-3\n");
    assertThat(run("scale", "--count", "1", "--yes", "-o", "json")).isZero();
    assertThat(new JsonObject(out.toString()))
        .isEqualTo(
            new JsonObject(
                "{'created': [], 'deleted': ['virtual-1', 'virtual-2', 'virtual-3'], 'kept': 1, 'failed': []}"
                    .replace('\'', '"')));
    assertThat(err.toString())
        .contains(
            "this deletes 3 nodes, and with them the pods that are bound to them: virtual-3,"
                + " virtual-2, virtual-1");
    assertThat(nodes()).containsExactly("virtual-0");
  }

  /** What is typed off the hint is a configuration that adopts them. */
  @Test
  void newNodesComeWithTheCommandThatAdoptsThem() {
    assertThat(run("create", "--count", "2")).isZero();
    Matcher hint =
        Pattern.compile(
                "until an agent adopts them: \\./vertlet agent --set '(.*)' \\(docs/adopt.md")
            .matcher(err.toString());
    assertThat(hint.find()).as(err.toString()).isTrue();
    VertletConfig config =
        new ConfigLoader(new Environment(Map.of(), Host.detect()))
            .parse(
                "f.json",
                "{\"nodes\": [{\"name\": \"a\"}]}",
                List.of(ConfigOverride.parse(hint.group(1))))
            .config();
    assertThat(config.nodeSpecs()).isEmpty();
    assertThat(config.adopt())
        .singleElement()
        .extracting(AdoptConfig::labelSelector)
        .isEqualTo(NodeSet.SELECTOR);

    assertThat(run("create", "--count", "2")).isZero();
    assertThat(err.toString()).doesNotContain("adopt");
    assertThat(run("create", "--count", "3", "-o", "name")).isZero();
    assertThat(err.toString()).doesNotContain("adopt");
  }

  @Test
  void theBuiltInTemplateMakesNodesLikeAnAgents() throws Exception {
    run("create", "--count", "1");

    JsonObject node =
        new JsonObject(get(server.objects().get("nodes", "", "virtual-0")).toString());
    assertThat(node.getJsonObject("metadata").getJsonObject("labels").getMap())
        .containsEntry("type", "virtual-kubelet")
        .containsEntry("kubernetes.io/hostname", "virtual-0")
        .containsEntry("vertlet.dev/managed-by", "nodes-command");
    assertThat(node.getJsonObject("spec").getJsonArray("taints").encode())
        .contains("virtual-kubelet.io/provider");
    assertThat(node.getJsonObject("status").getJsonObject("allocatable").getString("pods"))
        .isEqualTo("1k"); // as a server in Go writes 1000
  }

  @Test
  void nothingIsRemovedUnasked() throws Exception {
    run("create", "--count", "2");

    assertThat(run("delete")).isEqualTo(2);
    assertThat(err.toString()).contains("--yes is needed where there is no terminal to ask on");
    assertThat(run("scale", "--count", "0")).isEqualTo(2);
    assertThat(nodes()).hasSize(2);
  }

  @Test
  void deleteRemovesThoseNamedThoseChosenOrAll() throws Exception {
    get(server.objects().create("nodes", "{\"metadata\": {\"name\": \"other\"}}"));
    Path template =
        Files.writeString(
            dir.resolve("n.yaml"),
            "{apiVersion: v1, kind: Node, metadata: {name: 'm{i}', labels: {pool: 'p{i%2}'}}}");
    run("create", "--count", "4", "--template", template.toString());
    run("create", "--count", "2", "--name-prefix", "a-");
    run("create", "--count", "1", "--name-prefix", "b-");

    assertThat(run("delete", "m0", "other", "none", "--yes")).isZero();
    assertThat(out).hasToString("0 nodes created, 1 deleted, 0 kept\n");
    assertThat(err.toString())
        .contains(
            "node other: there is none with the label vertlet.dev/managed-by=nodes-command",
            "node none: there is none");
    assertThat(run("delete", "-l", "pool=p1", "--yes", "-o", "name")).isZero();
    assertThat(out).hasToString("node/m1\nnode/m3\n");
    assertThat(run("delete", "--name-prefix", "a-", "--yes", "-o", "name")).isZero();
    assertThat(out).hasToString("node/a-0\nnode/a-1\n");
    assertThat(run("delete", "--yes", "-o", "name")).isZero();
    assertThat(out).hasToString("node/m2\nnode/b-0\n");
    assertThat(run("delete")).isZero();
    assertThat(nodes()).containsExactly("other");
  }

  @Test
  void aTemplateThatTheServerRefusesIsAMistakeInTheTemplate() {
    server.faults().on("create", "nodes").respond(400, "BadRequest");

    run("create", "--count", "2");

    assertThat(failure)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("the built-in template: refused: ");
  }

  @Test
  void aTemplateThatCannotBeReadIsNamed() {
    run("create", "--count", "2", "--template", "no-such-file");

    assertThat(failure)
        .isInstanceOf(ConfigException.class)
        .hasMessage("no-such-file: cannot be read: no such file");
  }

  @Test
  void whoIsStoppedSaysHowManyThereAre(Vertx vertx) {
    server.faults().on("create", "nodes").after(3).throttle(5);
    vertx.setPeriodic(
        10,
        id -> {
          if (server.count("create", "nodes") >= 10) {
            ended.complete(null);
          }
        });

    assertThat(run("create", "--count", "20")).isEqualTo(1);

    assertThat(failure)
        .isInstanceOf(FailedException.class)
        .hasMessage("stopped before the end: 3 nodes created, 0 deleted, 0 kept, 17 not done");
    assertThat(out).hasToString("3 nodes created, 0 deleted, 0 kept\n");
  }

  @Test
  void aTimeThatIsUpTellsWhatWasDone() {
    server.faults().on("create", "nodes").throttle(5);

    assertThat(run("create", "--count", "2", "--timeout", "1s")).isEqualTo(1);

    assertThat(failure)
        .isInstanceOf(FailedException.class)
        .hasMessage("not done within the --timeout of 1s: 0 of 2 nodes done");
    assertThat(out).hasToString("0 nodes created, 0 deleted, 0 kept\n");
  }

  @Test
  void theTemplateIsThereToBeginWith() throws Exception {
    // no --kubeconfig is needed, but it does no harm
    assertThat(run("template")).isZero();
    Path own = Files.writeString(dir.resolve("own.yaml"), out.toString());

    assertThat(run("create", "--count", "1", "--template", own.toString())).isZero();
    assertThat(nodes()).containsExactly("virtual-0");
  }
}
