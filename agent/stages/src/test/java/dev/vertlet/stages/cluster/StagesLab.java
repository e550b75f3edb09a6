package dev.vertlet.stages.cluster;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.testsupport.Waits.get;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.stages.spec.StageFiles;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** An embedded API server and a verticle that plays stages against it. */
final class StagesLab implements AutoCloseable {
  final Vertx vertx = Vertx.vertx();
  final EmbeddedApiServer server;
  final KubeClient kube;
  final Bus bus;
  private final Path folder;
  private final Set<String> nodes;
  private @Nullable String deployed;

  /**
   * @param nodes names of the nodes with the provider stages
   */
  StagesLab(Path folder, String... nodes) {
    this(ApiServerOptions.defaults(), folder, nodes);
  }

  StagesLab(ApiServerOptions options, Path folder, String... nodes) {
    this.folder = folder;
    this.nodes = Set.of(nodes);
    this.bus = Bus.install(vertx);
    this.server = get(EmbeddedApiServer.start(vertx, options.withPlainHttp()));
    this.kube =
        get(
            KubeClient.create(
                vertx,
                KubeClientOptions.defaults(),
                ApiAccess.of(server.url(), server.token()),
                new SimpleMeterRegistry()));
  }

  /** Plays the stages of a YAML text. */
  void play(String stages) throws IOException {
    Path file = folder.resolve("stages.yaml");
    Files.writeString(file, stages);
    play(List.of(file), false);
  }

  /** Plays the stages as one of several agents. */
  void playShared(String stages) throws IOException {
    Path file = folder.resolve("stages.yaml");
    Files.writeString(file, stages);
    play(List.of(file), false, true);
  }

  void play(List<Path> files, boolean fromCluster) {
    play(files, fromCluster, false);
  }

  private void play(List<Path> files, boolean fromCluster, boolean shared) {
    StagesOptions options =
        new StagesOptions(
            StageFiles.load(files).stages(),
            fromCluster,
            1,
            "v1",
            folder.resolve("journal"),
            "me",
            shared);
    StagesVerticle verticle =
        new StagesVerticle(
            options,
            new Nodes(),
            kube,
            bus,
            Clock.systemUTC(),
            new SplittableRandom(1),
            new SimpleMeterRegistry());
    deployed = get(vertx.deployVerticle(verticle));
    nodes.forEach(node -> bus.publish(LEASE_ACQUIRED, new LeaseAcquired(node, 0)));
  }

  /** Ends the verticle as the end of its agent does. */
  void stopPlaying() {
    get(vertx.undeploy(deployed));
  }

  private final class Nodes implements StageNodes {
    @Override
    public boolean any() {
      return !nodes.isEmpty();
    }

    @Override
    public Optional<NodeSpec> spec(String node) {
      return nodes.contains(node)
          ? Optional.of(
              new NodeSpec(
                  node,
                  Map.of(),
                  Map.of(),
                  List.of(),
                  Map.of(),
                  Map.of(),
                  List.of(new NodeAddressView("InternalIP", "192.0.2.7")),
                  Map.of(),
                  "10.9.0.0/24"))
          : Optional.empty();
    }

    @Override
    public int kubeletPort(String node) {
      return 10250;
    }
  }

  ObjectNode create(String plural, String json) {
    return get(server.objects().create(plural, json));
  }

  ObjectNode configMap(String name) {
    return create(
        "configmaps",
        """
        {"apiVersion": "v1", "kind": "ConfigMap",
         "metadata": {"name": "%s", "namespace": "default", "labels": {"staged": "yes"}},
         "data": {}}
        """
            .formatted(name));
  }

  /** An object, or nothing. */
  JsonNode find(String plural, String namespace, String name) {
    return get(server.objects().find(plural, namespace, name))
        .<JsonNode>map(object -> object)
        .orElse(MissingNode.getInstance());
  }

  String state(String configMap) {
    return find("configmaps", "default", configMap).at("/data/state").asText();
  }

  /** A stage of ConfigMaps from one state to another. */
  static String stage(String name, String from, String to, String more) {
    return """
        apiVersion: kwok.x-k8s.io/v1alpha1
        kind: Stage
        metadata: {name: %s}
        spec:
          resourceRef: {kind: ConfigMap}
          selector:
            matchLabels: {staged: "yes"}
            matchExpressions:
            - {key: .data.state, operator: %s}
          %s
          steps:
          - patch: {root: data, template: 'state: %s'}
        ---
        """
        .formatted(name, from.isEmpty() ? "DoesNotExist" : "In, values: [" + from + "]", more, to);
  }

  @Override
  public void close() {
    if (deployed != null && vertx.deploymentIDs().contains(deployed)) {
      stopPlaying();
    }
    get(kube.close());
    get(server.stop());
    get(vertx.close());
  }
}
