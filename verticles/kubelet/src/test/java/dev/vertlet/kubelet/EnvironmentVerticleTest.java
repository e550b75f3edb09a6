package dev.vertlet.kubelet;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.bus.PodReport;
import dev.vertlet.kubelet.podworker.EnvironmentInputs;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.references.BusReferences;
import dev.vertlet.references.ReferenceWatchVerticle;
import dev.vertlet.testing.EmptyContext;
import dev.vertlet.testing.FakeCluster;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Pods that refer to ConfigMaps, Secrets and Services, from the kubelet core to an API server:
 * kubelet C30, virtual-kubelet §3 row 3.
 */
@Tag("C30")
class EnvironmentVerticleTest {
  private static final String FROM_MAP =
      "[{\"name\": \"A\", \"valueFrom\": {\"configMapKeyRef\": {\"name\": \"x\", \"key\":"
          + " \"k\"}}}]";

  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private final String watches =
      cluster.deploy(new ReferenceWatchVerticle(cluster.kube(), cluster.bus(), new Random(1)));

  @ParameterizedTest
  @CsvSource({
    "configMapKeyRef, configmaps, ConfigMap, configmap, '{\"k\": \"v\"}'",
    "secretKeyRef, secrets, Secret, secret, '{\"k\": \"dg==\"}'"
  })
  void aMissingObjectIsShownAndStartsTheContainerWhenItAppears(
      String source, String plural, String kind, String word, String data) {
    Shard shard = shard(0, true);
    PodView pod = create(shard, "a", FROM_MAP.replace("configMapKeyRef", source));
    eventually(
        () ->
            assertThat(shard.state(pod))
                .isEqualTo(new Waiting("CreateContainerConfigError", word + " \"x\" not found")));

    cluster.create(plural, object(kind, data));

    eventually(() -> assertThat(shard.state(pod)).isInstanceOf(Running.class));
    assertThat(shard.environment("main")).containsEntry("A", "v");
    assertThat(requests(plural))
        .hasSize(1)
        .allMatch(request -> request.namespace().equals("default"))
        .allMatch(request -> request.parameter("fieldSelector").equals("metadata.name=x"));
  }

  @Test
  void manyPodsShareOneRequestAndTheLastOneEndsIt() {
    Shard shard = shard(0, false);
    cluster.create("configmaps", object("ConfigMap", "{\"k\": \"v\"}"));
    List<PodView> pods =
        IntStream.range(0, 20).mapToObj(i -> create(shard, "p" + i, FROM_MAP)).toList();
    for (PodView pod : pods) {
      eventually(() -> assertThat(shard.state(pod)).isInstanceOf(Running.class));
    }
    assertThat(requests("configmaps")).hasSize(1);

    pods.subList(1, 20).forEach(pod -> delete(shard, pod));
    cluster.settle();
    assertThat(get(cluster.server().openWatches())).isEqualTo(1);
    delete(shard, pods.get(0));

    eventually(() -> assertThat(get(cluster.server().openWatches())).isZero());
    assertThat(requests("configmaps")).hasSize(1);
  }

  @Test
  void twoShardsShareAWatch() {
    Shard one = shard(0, false);
    Shard two = shard(1, false);
    PodView first = create(one, "a", FROM_MAP);
    eventually(() -> assertThat(one.state(first)).isInstanceOf(Waiting.class));
    PodView second = create(two, "b", FROM_MAP);
    cluster.create("configmaps", object("ConfigMap", "{\"k\": \"v\"}"));
    eventually(() -> assertThat(one.state(first)).isInstanceOf(Running.class));
    eventually(() -> assertThat(two.state(second)).isInstanceOf(Running.class));
    delete(one, first);

    PodView third = create(two, "c", FROM_MAP);

    eventually(() -> assertThat(two.state(third)).isInstanceOf(Running.class));
    assertThat(requests("configmaps")).hasSize(1);
    delete(two, second);
    delete(two, third);
    eventually(() -> assertThat(get(cluster.server().openWatches())).isZero());
  }

  @Test
  void whatNeverChangesIsNotWatched() {
    String map = object("ConfigMap", "{\"k\": \"v\"}");
    cluster.create("configmaps", "{\"immutable\": true," + map.substring(1));
    Shard shard = shard(0, false);
    PodView first = create(shard, "a", FROM_MAP);
    eventually(() -> assertThat(shard.state(first)).isInstanceOf(Running.class));
    eventually(() -> assertThat(get(cluster.server().openWatches())).isZero());

    PodView second = create(shard, "b", FROM_MAP);

    eventually(() -> assertThat(shard.state(second)).isInstanceOf(Running.class));
    assertThat(requests("configmaps")).hasSize(1);
  }

  @Test
  void podsWithoutReferencesAskForNothing() {
    Shard shard = shard(0, false);
    PodView pod = create(shard, "a", "[{\"name\": \"A\", \"value\": \"1\"}]");
    eventually(() -> assertThat(shard.state(pod)).isInstanceOf(Running.class));
    cluster.settle();
    assertThat(requests("configmaps")).isEmpty();
    assertThat(requests("secrets")).isEmpty();
    assertThat(requests("services")).isEmpty();
  }

  /** virtual-kubelet 2.2 ServiceEnvVar, against a server. */
  @Test
  @Tag("ServiceEnvVar")
  void servicesAreReadForARuntimeThatLooks() {
    Shard shard = shard(0, true);
    PodView pod = create(shard, "a", "[{\"name\": \"A\", \"value\": \"$(WEB_PORT)\"}]");
    eventually(() -> assertThat(shard.state(pod)).isInstanceOf(Running.class));
    assertThat(shard.environment("main"))
        .containsEntry("A", "$(WEB_PORT)")
        .containsKey("KUBERNETES_SERVICE_HOST");
    cluster.create(
        "services",
        "{\"apiVersion\": \"v1\", \"kind\": \"Service\", \"metadata\": {\"name\": \"web\","
            + " \"namespace\": \"default\"}, \"spec\": {\"clusterIP\": \"10.0.0.77\","
            + " \"ports\": [{\"port\": 80, \"protocol\": \"TCP\"}]}}");

    eventually(
        () -> {
          shard.exit(pod, "main");
          assertThat(shard.environment("main")).containsEntry("A", "tcp://10.0.0.77:80");
        });

    delete(shard, pod);
    PodView next = create(shard, "b", "[{\"name\": \"A\", \"value\": \"$(WEB_PORT)\"}]");
    eventually(() -> assertThat(shard.state(next)).isInstanceOf(Running.class));
    assertThat(requests("services"))
        .hasSize(1)
        .allMatch(request -> request.namespace().equals("default"));
  }

  @Test
  void aServerThatRefusesIsAskedUntilItAnswers() {
    Fault fault =
        cluster
            .faults()
            .on(request -> request.resource().equals("configmaps"))
            .respond(503, "ServiceUnavailable");
    cluster.create("configmaps", object("ConfigMap", "{\"k\": \"v\"}"));
    Shard shard = shard(0, false);
    PodView pod = create(shard, "a", FROM_MAP);
    eventually(
        () ->
            assertThat(shard.state(pod))
                .isEqualTo(
                    new Waiting(
                        "CreateContainerConfigError",
                        "failed to sync configmap cache: timed out waiting for the condition")));

    fault.lift();

    eventually(() -> assertThat(shard.state(pod)).isInstanceOf(Running.class));
  }

  @Test
  void undeployingEndsTheWatches() {
    Shard shard = shard(0, true);
    PodView pod = create(shard, "a", FROM_MAP);
    eventually(() -> assertThat(shard.state(pod)).isInstanceOf(Waiting.class));
    eventually(() -> assertThat(get(cluster.server().openWatches())).isEqualTo(2));
    cluster.undeploy(watches);
    eventually(() -> assertThat(get(cluster.server().openWatches())).isZero());
  }

  private List<ApiRequest> requests(String plural) {
    return cluster.server().requests().stream()
        .filter(request -> request.resource().equals(plural) && !request.isWrite())
        .toList();
  }

  private static String object(String kind, String data) {
    return ("{\"apiVersion\": \"v1\", \"kind\": \"%s\", \"data\": %s,"
            + " \"metadata\": {\"name\": \"x\", \"namespace\": \"default\"}}")
        .formatted(kind, data);
  }

  private PodView create(Shard shard, String name, String env) {
    ObjectNode pod = Manifests.pod(name, "node");
    ObjectNode container = (ObjectNode) pod.at("/spec/containers/0");
    container.set("env", json(env));
    cluster.create("pods", pod);
    PodView view = cluster.view(name);
    get(shard.call(() -> shard.core.create(view)));
    return view;
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }

  private static void delete(Shard shard, PodView pod) {
    get(shard.call(() -> shard.core.delete(pod, Duration.ofSeconds(1))));
  }

  private Shard shard(int index, boolean looks) {
    Shard shard = new Shard(new BusReferences(cluster.bus(), index), looks);
    cluster.deploy(shard);
    return shard;
  }

  /** A core on a context of its own. */
  private static final class Shard extends VerticleBase implements EmptyContext {
    private final Map<String, PodReport> newest = new ConcurrentHashMap<>();
    private final FakeRuntime runtime = new FakeRuntime(new FakeLoop());
    private final KubeletCore core;

    Shard(BusReferences references, boolean looks) {
      runtime.usesEnvironment = looks;
      core =
          new KubeletCore(
              runtime,
              KubeletOptions.DEFAULTS,
              new KubeletNodes(node -> List.of("192.168.0.1")),
              new EnvironmentInputs(references, node -> Map.of()));
    }

    @Override
    public Future<?> start() {
      return core.start(this);
    }

    @Override
    public Future<?> stop() {
      return core.stop();
    }

    <T> Future<T> call(Supplier<Future<T>> work) {
      Promise<T> done = Promise.promise();
      context.runOnContext(v -> work.get().onComplete(done));
      return done.future();
    }

    ContainerStateView state(PodView pod) {
      PodReport report = newest.get(pod.uid());
      if (report == null) {
        throw new AssertionError("nothing reported of " + pod.name());
      }
      return Objects.requireNonNull(report.status().containerStatuses().get(0).state());
    }

    Map<String, String> environment(String container) {
      return get(
          call(
              () ->
                  Future.succeededFuture(runtime.environments.getOrDefault(container, Map.of()))));
    }

    /** The container fails and is started again, if it runs. */
    void exit(PodView pod, String container) {
      get(
          call(
              () -> {
                if (runtime.running(pod.ref()) > 0) {
                  runtime.exit(pod.ref(), container, 0);
                }
                return Future.succeededFuture();
              }));
    }

    @Override
    public Vertx vertx() {
      return vertx;
    }

    @Override
    public void report(PodReport report) {
      newest.put(report.pod().uid(), report);
    }

    @Override
    public Future<NodeView> node(String name) {
      return Future.succeededFuture(new Nodes(name).build());
    }
  }
}
