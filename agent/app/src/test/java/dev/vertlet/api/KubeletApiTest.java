package dev.vertlet.api;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.agent.AgentSession;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.process.Environment;
import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.testsupport.TestHttp;
import dev.vertlet.testsupport.TestHttp.Answer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an agent answers that runs as it does for users, beside an API server: three nodes with a
 * port each. The pods of {@code sim} are simulated; the provider of {@code bare} offers nothing of
 * what is asked, that of {@code ill} fails.
 */
@ExtendWith(VertxExtension.class)
class KubeletApiTest {

  private static EmbeddedApiServer api;
  private static AgentSession agent;
  private static TestHttp http;
  private static String uid;
  private static final Map<String, Integer> PORTS = new HashMap<>();

  @BeforeAll
  static void start(Vertx vertx, @TempDir Path dir) throws Exception {
    api = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults()));
    Files.writeString(dir.resolve("kubeconfig"), api.kubeconfig());
    Files.writeString(Files.createDirectory(dir.resolve("logs")).resolve("a.log"), "line\n");
    FakeProvider bare = new FakeProvider();
    FakeProvider ill = new FakeProvider();
    agent = AgentSession.open(config(dir, bare, ill));
    get(agent.started());
    for (String node : List.of("sim", "bare", "ill")) {
      PORTS.put(node, port(node));
    }
    for (String[] pod :
        new String[][] {
          {"web", "sim"},
          {"stuck", "sim"},
          {"ended", "sim"},
          {"web-bare", "bare"},
          {"web-ill", "ill"}
        }) {
      get(api.objects().create("pods", pod(pod[0], pod[1])));
    }
    await().until(() -> status("web").at("/containerStatuses/0/state/running").isObject());
    await().until(() -> status("web").at("/initContainerStatuses/0/state/terminated").isObject());
    await().until(() -> status("ended").at("/phase").asText().equals("Succeeded"));
    await().until(() -> status("stuck").at("/containerStatuses/0/state/waiting").isObject());
    uid = get(api.objects().get("pods", "default", "web")).at("/metadata/uid").asText();
    http = TestHttp.trusting(vertx);
    for (String node : List.of("bare", "ill")) {
      // until then all is well: the agent takes what was there before
      String logs = "/containerLogs/default/web-" + node + "/c";
      await().until(() -> call(node, "GET", logs, "good").status() == 200);
    }
    bare.failing = Kind.UNSUPPORTED;
    ill.failing = Kind.TEMPORARY;
  }

  @AfterAll
  static void stop() throws Exception {
    agent.stop();
    agent.close();
    get(api.stop());
  }

  private static LoadedConfig config(Path dir, FakeProvider bare, FakeProvider ill) {
    JsonObject json =
        new JsonObject(
            """
            {"agent": {"identity": "test"},
             "nodes": [{"name": "sim"}, {"name": "bare", "provider": "bare"},
                       {"name": "ill", "provider": "ill"}],
             "simulated": {"rules": [
               {"name": "stuck", "selector": {"image": "stuck"}, "pullDelay": "never"},
               {"name": "ends", "selector": {"image": "ended"}, "runFor": "1ms"}]},
             "server": {"address": "127.0.0.1", "port": 0, "kubeletAddress": "127.0.0.1",
                        "portRange": 0, "healthzPort": 0, "authentication": {"anonymous": true}}}
            """);
    json.getJsonObject("agent").put("dataDir", dir.resolve("data").toString());
    json.put(
        "kubernetes", new JsonObject().put("kubeconfig", dir.resolve("kubeconfig").toString()));
    json.getJsonObject("server").put("logDirectory", dir.resolve("logs").toString());
    ProviderCatalog catalog =
        ProviderCatalog.of(
            List.of(
                ProviderFactory.of("bare", setup -> new Backend.Pods(bare)),
                ProviderFactory.of("ill", setup -> new Backend.Pods(ill))));
    return new ConfigLoader(new Environment(Map.of(), ServerLab.HOST), catalog)
        .parse("test", json.encode(), List.of());
  }

  private static String pod(String name, String node) {
    return """
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%1$s", "namespace": "default"},
     "spec": {"nodeName": "%2$s", "restartPolicy": "Never",
              "initContainers": [%3$s],
              "containers": [{"name": "c", "image": "%1$s"}]}}
    """
        .formatted(
            name, node, name.equals("web") ? "{\"name\": \"init\", \"image\": \"ended\"}" : "");
  }

  private static JsonNode status(String pod) throws TimeoutException {
    return get(api.objects().get("pods", "default", pod)).path("status");
  }

  private static int port(String node) throws Exception {
    await().until(() -> published(node) > 0);
    return published(node);
  }

  private static int published(String node) throws TimeoutException {
    return get(api.objects().find("nodes", "", node))
        .map(found -> found.at("/status/daemonEndpoints/kubeletEndpoint/Port").asInt())
        .orElse(0);
  }

  private static final String[] WEBSOCKET = {
    "Connection", "Upgrade",
    "Upgrade", "websocket",
    "Sec-WebSocket-Version", "13",
    "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol", "v4.channel.k8s.io"
  };

  /** Method WS is a GET that asks for a WebSocket. */
  private static Answer call(String node, String method, String path, String who) {
    boolean socket = method.equals("WS");
    List<String> headers = new ArrayList<>(socket ? List.of(WEBSOCKET) : List.of());
    switch (who) {
      case "good" -> headers.addAll(List.of(TestHttp.bearer(ApiServerOptions.DEFAULT_TOKEN)));
      case "bad" -> headers.addAll(List.of(TestHttp.bearer("nobody's")));
      default -> {} // nobody
    }
    return http.call(
        Objects.requireNonNull(PORTS.get(node)),
        socket ? HttpMethod.GET : HttpMethod.valueOf(method),
        path,
        headers.toArray(String[]::new));
  }

  /**
   * C58, C61, virtual-kubelet 2.4-13. For each row: a token of nobody is 401, nobody is 403 for
   * want of the subresources, and one who may do everything gets status and text. A text ends with
   * … where more may follow.
   */
  @ParameterizedTest(name = "{0} {1} {2} = {4}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // of the agent
        "sim  | GET  | /healthz                              | healthz proxy | 200 | ok",
        "sim  | GET  | /healthz/                             | healthz proxy | 200 | ok",
        "sim  | HEAD | /healthz                              | healthz proxy | 200 | ``",
        "sim  | POST | /healthz                              | healthz proxy | 405 | 405: Method"
            + " Not Allowed",
        "sim  | GET  | /healthz/other                        | healthz proxy | 404 | 404 page not"
            + " found\\n",
        "sim  | GET  | /metrics                              | metrics       | 200 | # HELP …",
        "sim  | GET  | /metrics/                             | metrics       | 200 | # HELP …",
        "sim  | PUT  | /metrics                              | metrics       | 405 | 405: Method"
            + " Not Allowed",
        "sim  | GET  | /metrics/other                        | metrics       | 404 | 404 page not"
            + " found\\n",
        "sim  | GET  | /logs/a.log                           | log           | 200 | line\\n",
        "sim  | GET  | /logs                                 | log           | 200 | <pre>…",
        "sim  | GET  | /logs/b.log                           | log           | 404 | 404 page not"
            + " found\\n",
        "sim  | POST | /logs/a.log                           | log           | 405 | 405: Method"
            + " Not Allowed",
        "sim  | GET  | /debug/pprof/                         | proxy         | 405 | profiling"
            + " endpoint is disabled.\\n",
        "sim  | GET  | /nothing                              | proxy         | 404 | 404 page not"
            + " found\\n",
        "sim  | GET  | /                                     | proxy         | 404 | 404 page not"
            + " found\\n",
        // of a node
        "sim  | GET  | /pods                                 | pods proxy    | 200 |"
            + " {\"kind\":\"PodList\",…",
        "sim  | GET  | /pods/                                | pods proxy    | 200 |"
            + " {\"kind\":\"PodList\",…",
        "sim  | GET  | /nodes/sim/pods                       | pods proxy    | 200 |"
            + " {\"kind\":\"PodList\",…",
        "sim  | GET  | /nodes/bare/pods                      | pods proxy    | 404 | 404: Page Not"
            + " Found",
        "sim  | GET  | /pods/x                               | pods proxy    | 404 | 404: Page Not"
            + " Found",
        "sim  | POST | /pods                                 | pods proxy    | 405 | 405: Method"
            + " Not Allowed",
        "sim  | GET  | /runningpods/                         | pods proxy    | 200 |"
            + " {\"kind\":\"PodList\",…",
        "sim  | GET  | /runningpods                          | pods proxy    | 200 |"
            + " {\"kind\":\"PodList\",…",
        "ill  | GET  | /runningpods/                         | pods proxy    | 500 | the back end"
            + " says TEMPORARY",
        "bare | GET  | /runningpods/                         | pods proxy    | 501 | the back end"
            + " says UNSUPPORTED",
        "sim  | PUT  | /runningpods/                         | pods proxy    | 405 | 405: Method"
            + " Not Allowed",
        "sim  | GET  | /stats/summary                        | stats         | 200 | {\"node\":…",
        "sim  | GET  | /stats/summary/                       | stats         | 200 | {\"node\":…",
        "sim  | POST | /stats/summary                        | stats         | 200 | {\"node\":…",
        "sim  | GET  | /stats/other                          | stats         | 404 | 404: Page Not"
            + " Found",
        "sim  | PUT  | /stats/summary                        | stats         | 405 | 405: Method"
            + " Not Allowed",
        "bare | GET  | /stats/summary                        | stats         | 501 | …",
        "sim  | GET  | /metrics/resource                     | metrics       | 200 | # HELP …",
        "sim  | GET  | /metrics/cadvisor                     | metrics       | 200 | # HELP …",
        "bare | GET  | /metrics/cadvisor                     | metrics       | 501 | …",
        "sim  | POST | /metrics/cadvisor                     | metrics       | 405 | 405: Method"
            + " Not Allowed",
        "sim  | GET  | /metrics/probes                       | metrics       | 200 | # HELP …",
        "sim  | GET  | /configz                              | configz proxy | 200 |"
            + " {\"kubeletconfig\":…",
        "sim  | GET  | /configz/x                            | configz proxy | 404 | 404 page not"
            + " found\\n",
        "sim  | POST | /configz                              | configz proxy | 405 | 405: Method"
            + " Not Allowed",
        // logs
        "sim  | GET  | /containerLogs/default/web/c          | proxy | 200 | …",
        "sim  | GET  | /containerLogs/default/web/c/         | proxy | 200 | …",
        "sim  | GET  | /containerLogs/default/web/init       | proxy | 200 | …",
        "sim  | GET  | /containerLogs/default/ended/c        | proxy | 200 | …",
        "sim  | GET  | /containerLogs/default/stuck/c        | proxy | 400 | container \"c\" in pod"
            + " \"stuck\" is waiting to start: ContainerCreating",
        "sim  | GET  | /containerLogs/default/web/c?previous=true  | proxy | 400 | previous"
            + " terminated container \"c\" in pod \"web\" not found",
        "sim  | GET  | /containerLogs/default/web/c?tailLines=x    | proxy | 400 | {\"message\":"
            + " \"Unable to decode query.\"}",
        "sim  | GET  | /containerLogs/default/web/c?sinceTime=noon | proxy | 400 | {\"message\":"
            + " \"Unable to decode query.\"}",
        "sim  | GET  | /containerLogs/default/web/c?tailLines=-1   | proxy | 422 | {\"message\":"
            + " \"Invalid request.\"}",
        "sim  | GET  | /containerLogs/default/web/c?limitBytes=0   | proxy | 422 | {\"message\":"
            + " \"Invalid request.\"}",
        "sim  | GET  | /containerLogs/default/web/c?stream=Stdin   | proxy | 422 | {\"message\":"
            + " \"Invalid request.\"}",
        "sim  | GET  | /containerLogs/default/web/d          | proxy | 404 | container \"d\" not"
            + " found in pod \"web\"",
        "sim  | GET  | /containerLogs/default/none/c         | proxy | 404 | pod \"none\" does not"
            + " exist",
        "sim  | GET  | /containerLogs/default/web-bare/c     | proxy | 404 | pod \"web-bare\" does"
            + " not exist",
        "sim  | GET  | /containerLogs/other/web/c            | proxy | 404 | pod \"web\" does not"
            + " exist",
        "sim  | GET  | /containerLogs/default/web            | proxy | 404 | 404: Page Not Found",
        "sim  | POST | /containerLogs/default/web/c          | proxy | 405 | 405: Method Not"
            + " Allowed",
        "ill  | GET  | /containerLogs/default/web-ill/c      | proxy | 500 | the back end says"
            + " TEMPORARY",
        "bare | GET  | /containerLogs/default/web-bare/c     | proxy | 501 | the back end says"
            + " UNSUPPORTED",
        // commands
        "sim  | GET  | /exec/default/web/c?command=ls        | proxy | 400 | you must specify at"
            + " least 1 of stdin, stdout, stderr",
        "sim  | GET  | /exec/default/web/c?output=1          | proxy | 500 | Upgrade request"
            + " required\\n",
        "sim  | POST | /exec/default/web/c/?output=1         | proxy | 500 | Upgrade request"
            + " required\\n",
        "sim  | POST | /exec/default/web/{uid}/c?output=1    | proxy | 500 | Upgrade request"
            + " required\\n",
        "sim  | POST | /exec/default/web/other/c?output=1    | proxy | 404 | pod not found",
        "sim  | POST | /exec/default/none/c?output=1         | proxy | 404 | pod does not exist",
        "sim  | POST | /exec/default/web/d?output=1          | proxy | 404 | container not found"
            + " (\"d\")",
        "sim  | POST | /exec/default/web/init?output=1       | proxy | 500 | container not found"
            + " (\"init\")",
        "sim  | POST | /exec/default/ended/c?output=1        | proxy | 500 | container not found"
            + " (\"c\")",
        "sim  | POST | /exec/default/stuck/c?output=1        | proxy | 500 | container not found"
            + " (\"c\")",
        "sim  | POST | /exec/default/web?output=1            | proxy | 404 | 404: Page Not Found",
        "sim  | PUT  | /exec/default/web/c?output=1          | proxy | 405 | 405: Method Not"
            + " Allowed",
        "ill  | GET  | /exec/default/web-ill/c?output=1      | proxy | 500 | the back end says"
            + " TEMPORARY",
        "bare | GET  | /exec/default/web-bare/c?output=1     | proxy | 501 | the back end says"
            + " UNSUPPORTED",
        "sim  | GET  | /attach/default/web/c                 | proxy | 400 | you must specify at"
            + " least 1 of stdin, stdout, stderr",
        "sim  | POST | /attach/default/web/{uid}/c?output=1  | proxy | 500 | Upgrade request"
            + " required\\n",
        "sim  | POST | /attach/default/web/d?output=1        | proxy | 404 | container d not found"
            + " in pod web_default",
        "sim  | POST | /attach/default/ended/c?output=1      | proxy | 500 | container c not found"
            + " in pod ended_default",
        "sim  | PUT  | /attach/default/web/c?output=1        | proxy | 405 | 405: Method Not"
            + " Allowed",
        "ill  | GET  | /attach/default/web-ill/c?output=1    | proxy | 500 | the back end says"
            + " TEMPORARY",
        "bare | GET  | /attach/default/web-bare/c?output=1   | proxy | 501 | the back end says"
            + " UNSUPPORTED",
        "sim  | POST | /run/default/web/c?cmd=echo%20a       | proxy | 200 | a\\n",
        "sim  | POST | /run/default/web/{uid}/c?cmd=echo%20a | proxy | 200 | a\\n",
        "sim  | POST | /run/default/web/c?cmd=false          | proxy | 500 | command 'false' exited"
            + " with 1:…",
        "sim  | POST | /run/default/web/d?cmd=ls             | proxy | 404 | container not found"
            + " (\"d\")",
        "sim  | POST | /run/default/ended/c?cmd=ls           | proxy | 500 | container not found"
            + " (\"c\")",
        "sim  | POST | /run/default/none/c?cmd=ls            | proxy | 404 | pod does not exist",
        "sim  | GET  | /run/default/web/c?cmd=ls             | proxy | 405 | 405: Method Not"
            + " Allowed",
        "ill  | POST | /run/default/web-ill/c?cmd=ls         | proxy | 500 | the back end says"
            + " TEMPORARY",
        "bare | POST | /run/default/web-bare/c?cmd=ls        | proxy | 501 | the back end says"
            + " UNSUPPORTED",
        // ports
        "sim  | POST | /portForward/default/web              | proxy | 500 | Upgrade request"
            + " required\\n",
        "sim  | POST | /portForward/default/web/             | proxy | 500 | Upgrade request"
            + " required\\n",
        "sim  | GET  | /portForward/default/web/{uid}        | proxy | 500 | Upgrade request"
            + " required\\n",
        "sim  | WS   | /portForward/default/web              | proxy | 400 | query parameter"
            + " \"port\" is required\\n",
        "sim  | WS   | /portForward/default/web?port=        | proxy | 400 | query parameter"
            + " \"port\" cannot be empty\\n",
        "sim  | WS   | /portForward/default/web?port=0       | proxy | 400 | port \"0\" must be >"
            + " 0\\n",
        "sim  | WS   | /portForward/default/web?port=65536   | proxy | 400 | unable to parse"
            + " \"65536\" as a port: strconv.ParseUint: parsing \"65536\": value out of range\\n",
        "sim  | WS   | /portForward/default/web?port=http    | proxy | 400 | unable to parse"
            + " \"http\" as a port: strconv.ParseUint: parsing \"http\": invalid syntax\\n",
        "sim  | POST | /portForward/default/none             | proxy | 404 | pod does not exist",
        "sim  | POST | /portForward/default/web/other        | proxy | 404 | pod not found",
        "sim  | POST | /portForward/default                  | proxy | 404 | 404: Page Not Found",
        "sim  | PUT  | /portForward/default/web              | proxy | 405 | 405: Method Not"
            + " Allowed",
        "ill  | POST | /portForward/default/web-ill          | proxy | 500 | the back end says"
            + " TEMPORARY",
        "bare | POST | /portForward/default/web-bare         | proxy | 501 | the back end says"
            + " UNSUPPORTED",
        // checkpoints
        "sim  | POST | /checkpoint/default/none/c            | checkpoint | 404 | pod does not"
            + " exist",
        "sim  | POST | /checkpoint/default/web/d             | checkpoint | 404 | container d does"
            + " not exist",
        "sim  | POST | /checkpoint/default/web/c?timeout=x   | checkpoint | 404 | cannot parse"
            + " value of timeout parameter",
        "sim  | POST | /checkpoint/default/web/c             | checkpoint | 404 | checkpointing of"
            + " default/web/c failed (the provider makes no checkpoints)",
        "sim  | GET  | /checkpoint/default/web/c             | checkpoint | 405 | 405: Method Not"
            + " Allowed",
        "sim  | POST | /checkpoint/default/web               | checkpoint | 404 | 404: Page Not"
            + " Found",
        // paths that mean something else elsewhere
        "sim  | GET  | //containerLogs/default/web/c                      | proxy | 404 | 404 page"
            + " not found\\n",
        "sim  | GET  | /containerLogs//default/web/c                      | proxy | 404 | 404 page"
            + " not found\\n",
        "sim  | GET  | /containerLogs/default/web%2Fc                     | proxy | 404 | 404 page"
            + " not found\\n",
        "sim  | GET  | /containerLogs/default/web%2F..%2Fweb-bare/c       | proxy | 404 | 404 page"
            + " not found\\n",
        "sim  | GET  | /containerLogs/default/../default/web/c            | proxy | 404 | 404 page"
            + " not found\\n",
        "sim  | GET  | /containerLogs/default/%2e%2e/web/c                | proxy | 404 | 404 page"
            + " not found\\n",
        "sim  | GET  | /nodes/bare/containerLogs/default/web-bare/c       | proxy | 404 | 404: Page"
            + " Not Found",
        "sim  | GET  | /nodes/sim/../bare/containerLogs/default/web-bare/c | proxy | 404 | 404 page"
            + " not found\\n",
        "sim  | GET  | /logs/%2e%2e/data                                  | proxy | 404 | 404 page"
            + " not found\\n"
      })
  @Tag("2.4-13")
  @Tag("C58")
  @Tag("C61")
  void everyRouteAnswersAsAKubelet(
      String node, String method, String path, String subresources, int status, String text)
      throws Exception {
    String wanted = path.replace("{uid}", uid);

    assertThat(call(node, method, wanted, "bad").text())
        .isEqualTo("401 " + told(method, "Unauthorized"));
    assertThat(call(node, method, wanted, "nobody").text())
        .isEqualTo(
            "403 "
                + told(
                    method,
                    "Forbidden (user=system:anonymous, verb=%s, resource=nodes, subresource(s)=[%s])\n"
                        .formatted(verb(method), subresources)));
    Answer answer = call(node, method, wanted, "good");
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    String expected = text.replace("\\n", "\n");
    if (expected.endsWith("…")) {
      assertThat(answer.body()).startsWith(expected.substring(0, expected.length() - 1));
    } else {
      assertThat(answer.body()).isEqualTo(expected);
    }
  }

  /**
   * Every metric of ours is in docs/metrics.md with its type and labels, and nothing else is. Those
   * of nodes that the cluster configures, of remote back ends, of stages and of the sandbox server,
   * this agent does not have.
   */
  @Test
  void metricsAreThoseOfTheDocument() throws Exception {
    call("sim", "GET", "/pods", "good");
    call("sim", "GET", "/pods", "bad");
    call("sim", "GET", "/pods", "nobody");
    call("sim", "WS", "/portForward/default/web", "good");
    String scrape = call("sim", "GET", "/metrics", "good").body();

    assertThat(MetricsTable.scraped(scrape))
        .isEqualTo(
            MetricsTable.documented(Path.of("..", "..", "docs", "metrics.md"))
                .lines()
                .filter(
                    line ->
                        !line.matches("(kubelet_node_config|vertlet_(remote|sandbox|stages))_.*"))
                .collect(Collectors.joining("\n")));
  }

  /** Whatever the alerts and the dashboard ask for is measured. */
  @ParameterizedTest
  @ValueSource(strings = {"prometheusrule.yaml", "dashboard.json"})
  void alertsAndDashboardNameMetricsThatAreThere(String file) throws Exception {
    String scrape = call("sim", "GET", "/metrics", "good").body();
    Set<String> documented =
        MetricsTable.documented(Path.of("..", "..", "docs", "metrics.md"))
            .lines()
            .map(line -> line.substring(0, line.indexOf(' ')))
            .collect(Collectors.toSet());

    Set<String> asked =
        MetricsTable.asked(
            Files.readString(
                Path.of("..", "..", "k8s", "manifests", "components", "monitoring", file)));

    assertThat(asked).hasSizeGreaterThan(9);
    assertThat(asked)
        .filteredOn(name -> !documented.contains(name))
        .allSatisfy(name -> assertThat(scrape).contains("# TYPE " + name + " "));
  }

  private static String told(String method, String text) {
    return method.equals("HEAD") ? "" : text;
  }

  private static String verb(String method) {
    return switch (method) {
      case "GET", "WS" -> "get";
      case "POST" -> "create";
      case "PUT" -> "update";
      default -> "";
    };
  }
}
