package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.contract.Api.Answer;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The resource metrics API of the embedded server. A real one has it of metrics-server, which asks
 * kubelets in its own time and cannot be told what to find; that both serve {@code kubectl top} is
 * held with kubectl.
 */
@ExtendWith(EndpointExtension.class)
class MetricsApiTest {
  private static final String METRICS = "/apis/metrics.k8s.io/v1beta1";

  private final List<FakeKubelet> kubelets = new ArrayList<>();

  @AfterEach
  void stop() {
    kubelets.forEach(FakeKubelet::close);
  }

  private FakeKubelet kubelet(Api api, String status, String summary) {
    FakeKubelet made =
        FakeKubelet.start(
            api.vertx(), "127.0.0.1", FakeKubelet.answer(status, summary.replace('\'', '"')));
    kubelets.add(made);
    return made;
  }

  private static String stats(int milliCores, int mebibytes) {
    return "'cpu':{'time':'2026-01-02T03:04:05.678Z','usageNanoCores':%d},'memory':{'workingSetBytes':%d}"
        .formatted(milliCores * 1_000_000L, mebibytes * 1024L * 1024);
  }

  /** What a kubelet tells of a node and a pod {@code p} of two containers. */
  private static String summary(String namespace) {
    return "{'node':{%s},'pods':[{'podRef':{'name':'p','namespace':'%s'},'containers':[{'name':'c',%s},{'name':'d',%s}]}]}"
        .formatted(stats(1500, 300), namespace, stats(250, 200), stats(3, 1));
  }

  private static String node(Api api, String group, int port) {
    String name = Api.unique("measured");
    api.post(Api.NODES, "{'metadata':{'name':'%s','labels':{'group':'%s'}}}".formatted(name, group))
        .is(201);
    api.strategic(
            Api.NODES + "/" + name + "/status",
            "{'status':{'addresses':[{'type':'InternalIP','address':'127.0.0.1'}],'daemonEndpoints':{'kubeletEndpoint':{'Port':%d}}}}"
                .formatted(port))
        .is(200);
    return name;
  }

  private static void pod(Api api, String namespace, String name, String node, String phase) {
    String pods = Api.pods(namespace);
    api.post(pods, Api.bound(name, node)).is(201);
    api.strategic(pods + "/" + name + "/status", "{'status':{'phase':'%s'}}".formatted(phase))
        .is(200);
  }

  private static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }

  @Test
  void aNodeTakesWhatItsKubeletTells(Api api) {
    FakeKubelet far = kubelet(api, "200 OK", summary("ns"));
    String group = Api.unique("group");
    String node = node(api, group, far.port());

    Answer one = api.get(METRICS + "/nodes/" + node).is(200);

    assertThat(one.text("/kind")).isEqualTo("NodeMetrics");
    assertThat(one.text("/apiVersion")).isEqualTo("metrics.k8s.io/v1beta1");
    assertThat(one.text("/metadata/labels/group")).isEqualTo(group);
    assertThat(one.text("/timestamp")).isEqualTo("2026-01-02T03:04:05Z");
    assertThat(one.text("/window")).isEqualTo("10s");
    assertThat(one.body().path("usage")).isEqualTo(json("{'cpu':'1500m','memory':'300Mi'}"));
    FakeKubelet.Request request = far.request();
    assertThat(request.line()).isEqualTo("GET /stats/summary?only_cpu_and_memory=true HTTP/1.1");
    assertThat(request.identity()).contains("CN=");

    Answer list = api.get(METRICS + "/nodes?labelSelector=group%3D" + group).is(200);
    assertThat(list.text("/kind")).isEqualTo("NodeMetricsList");
    assertThat(list.body().path("metadata")).isEmpty();
    assertThat(list.body().path("items")).hasSize(1);
    assertThat(list.body().at("/items/0/usage")).isEqualTo(one.body().path("usage"));
  }

  @Test
  void aPodTakesWhatItsContainersTake(Api api) {
    String namespace = api.namespace();
    FakeKubelet far = kubelet(api, "200 OK", summary(namespace));
    FakeKubelet other = kubelet(api, "200 OK", summary(namespace));
    String group = Api.unique("group");
    pod(api, namespace, "p", node(api, group, far.port()), "Running");
    node(api, group, other.port());
    String pods = METRICS + "/namespaces/" + namespace + "/pods";

    Answer one = api.get(pods + "/p").is(200);

    assertThat(one.text("/kind")).isEqualTo("PodMetrics");
    assertThat(one.text("/metadata/namespace")).isEqualTo(namespace);
    assertThat(one.text("/metadata/labels/app")).isEqualTo("p");
    assertThat(one.body().path("containers"))
        .isEqualTo(
            json("{'all':[{'name':'c','usage':{'cpu':'250m','memory':'200Mi'}},{'name':'d','usage':{'cpu':'3m','memory':'1Mi'}}]}")
                .path("all"));
    assertThat(api.get(pods).is(200).body().path("items")).hasSize(1);
    assertThat(api.get(pods + "?labelSelector=app%3Dq").is(200).body().path("items")).isEmpty();
    assertThat(
            api.get(METRICS + "/pods?fieldSelector=metadata.namespace%3D" + namespace)
                .is(200)
                .body()
                .at("/items/0/metadata/name")
                .asText())
        .isEqualTo("p");
    assertThat(other.wasAsked()).as("a node with no such pod was asked").isFalse();
  }

  @Test
  void whatWasNotMeasuredIsLeftOut(Api api) {
    String namespace = api.namespace();
    FakeKubelet broken = kubelet(api, "500 Internal Server Error", summary(namespace));
    FakeKubelet far = kubelet(api, "200 OK", summary(namespace));
    FakeKubelet gone = kubelet(api, "200 OK", "");
    gone.close();
    kubelets.remove(gone);
    String group = Api.unique("group");
    String ill = node(api, group, broken.port());
    String dead = node(api, group, gone.port());
    String fine = node(api, group, far.port());
    pod(api, namespace, "p", ill, "Running");
    pod(api, namespace, "q", fine, "Running"); // its kubelet does not know it yet
    pod(api, namespace, "r", fine, "Pending");

    JsonNode nodes =
        api.get(METRICS + "/nodes?labelSelector=group%3D" + group).is(200).body().path("items");

    assertThat(nodes.findValuesAsText("name")).containsExactly(fine);
    for (String name : List.of(ill, dead)) {
      assertThat(api.get(METRICS + "/nodes/" + name).is(404).text("/message"))
          .isEqualTo("nodemetrics.metrics.k8s.io \"%s\" not found".formatted(name));
    }
    String pods = METRICS + "/namespaces/" + namespace + "/pods";
    assertThat(api.get(pods).is(200).body().path("items")).isEmpty();
    for (String name : List.of("p", "q", "r")) {
      assertThat(api.get(pods + "/" + name).is(404).text("/message"))
          .isEqualTo("podmetrics.metrics.k8s.io \"%s/%s\" not found".formatted(namespace, name));
    }
    assertThat(api.get(pods + "/none").is(404).text("/message"))
        .isEqualTo("pods \"none\" not found");
    assertThat(api.get(METRICS + "/nodes/none").is(404).text("/message"))
        .isEqualTo("nodes \"none\" not found");
  }

  @Test
  void tablesHaveTheColumnsOfMetricsServer(Api api) {
    String namespace = api.namespace();
    FakeKubelet far = kubelet(api, "200 OK", summary(namespace));
    String group = Api.unique("group");
    String node = node(api, group, far.port());
    pod(api, namespace, "p", node, "Running");
    String table = "application/json;as=Table;v=v1;g=meta.k8s.io";

    JsonNode nodes =
        api.get(METRICS + "/nodes?labelSelector=group%3D" + group, "accept", table).is(200).body();
    JsonNode pods =
        api.get(METRICS + "/namespaces/" + namespace + "/pods", "accept", table).is(200).body();

    assertThat(nodes.path("columnDefinitions").findValuesAsText("name"))
        .containsExactly("Name", "cpu", "memory", "Window");
    assertThat(nodes.at("/rows/0/cells"))
        .isEqualTo(json("{'c':['%s','1500m','300Mi','10s']}".formatted(node)).path("c"));
    assertThat(pods.at("/rows/0/cells"))
        .isEqualTo(json("{'c':['p','253m','201Mi','10s']}").path("c"));
  }

  @Test
  void thereIsNothingElse(Api api) {
    Answer resources = api.get(METRICS).is(200);
    assertThat(resources.text("/groupVersion")).isEqualTo("metrics.k8s.io/v1beta1");
    assertThat(resources.body().path("resources"))
        .isEqualTo(
            json("{'all':[{'name':'nodes','singularName':'','namespaced':false,'kind':'NodeMetrics','verbs':['get','list']},{'name':'pods','singularName':'','namespaced':true,'kind':'PodMetrics','verbs':['get','list']}]}")
                .path("all"));

    for (String path : List.of("/things", "/namespaces/default/nodes", "/nodes/n/status")) {
      assertThat(api.get(METRICS + path).is(404).text("/message"))
          .isEqualTo("the server could not find the requested resource");
    }
    for (String path : List.of("/nodes?watch=true", "/pods/p")) {
      api.get(METRICS + path).is(405);
    }
    api.call(HttpMethod.DELETE, METRICS + "/nodes/n", "").is(405);
    api.get(METRICS + "/nodes?labelSelector=%3D%3D").is(400);
  }
}
