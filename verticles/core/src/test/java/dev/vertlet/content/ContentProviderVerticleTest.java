package dev.vertlet.content;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.bus.PodReport;
import dev.vertlet.content.file.ContentOptions;
import dev.vertlet.content.file.MemoryVolumes;
import dev.vertlet.env.DnsSettings;
import dev.vertlet.env.SharedReferences;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.pods.ResolvingProvider;
import dev.vertlet.provider.content.ContentFile;
import dev.vertlet.provider.content.PodContent;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.pod.ForwardingProvider;
import dev.vertlet.provider.pod.ProviderContext;
import dev.vertlet.references.BusReferences;
import dev.vertlet.references.ReferenceWatchVerticle;
import dev.vertlet.testing.FakeCluster;
import dev.vertlet.testing.QuietProvider;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a provider of whole pods receives with a pod, and later. */
class ContentProviderVerticleTest {
  private static final String VOLUMES =
      """
      [{"name": "map", "configMap": {"name": "m"}},
       {"name": "api", "projected": {"sources": [
         {"serviceAccountToken": {"path": "token"}}]}}]
      """;

  @AutoClose private final FakeCluster cluster = FakeCluster.start();
  private final Receiver receiver = new Receiver();

  @SuppressWarnings("NullAway.Init") // set by serve
  private VolumeManager contents;

  private static final class Receiver extends ForwardingProvider {
    private final Map<String, PodContent> created = new ConcurrentHashMap<>();
    private final Map<String, PodView> views = new ConcurrentHashMap<>();
    private final List<VolumeContent> changed = new CopyOnWriteArrayList<>();

    private @Nullable ProviderContext context;

    Receiver() {
      super(new QuietProvider(true));
    }

    @Override
    public Future<Void> start(ProviderContext given) {
      context = given;
      return super.start(given);
    }

    void end(PodView pod) {
      Objects.requireNonNull(context)
          .report(new PodReport(pod.ref(), pod.nodeName(), PodStatusView.EMPTY, true));
    }

    @Override
    public PodInput input() {
      return PodInput.VALUES;
    }

    @Override
    public boolean usesEnvironment() {
      return true;
    }

    @Override
    public Future<Void> create(PodView pod, PodContent content) {
      created.put(pod.name(), content);
      views.put(pod.name(), pod);
      return super.create(pod);
    }

    @Override
    public Future<Void> contentChanged(PodRef pod, List<VolumeContent> volumes) {
      changed.addAll(volumes);
      return Future.succeededFuture();
    }

    PodContent content(String pod) {
      eventually(() -> assertThat(created).containsKey(pod));
      return Objects.requireNonNull(created.get(pod));
    }
  }

  private void serve() {
    cluster.create("nodes", Manifests.node("node"));
    cluster.deploy(
        new ReferenceWatchVerticle(
            cluster.kube(),
            cluster.bus(),
            new Random(1),
            true,
            ReferenceWatchVerticle.SERVICES_REST));
    SharedReferences shared = new SharedReferences(new BusReferences(cluster.bus(), 0));
    contents =
        new VolumeManager(
            PodInput.VALUES,
            new ContentOptions(Path.of("none"), List.of(), Path.of("none"), MemoryVolumes.NONE),
            shared.user(),
            node -> Map.of(),
            node -> DnsSettings.DEFAULTS);
    cluster.servePods(
        cluster.vertx().getOrCreateContext(),
        new ContentProvider(
            new ResolvingProvider(receiver, shared.user(), name -> node()), contents),
        "node");
  }

  private static NodeSpec node() {
    return new NodeSpec(
        "node",
        Map.of(),
        Map.of(),
        List.of(),
        Map.of(),
        Map.of(),
        List.of(new NodeAddressView("InternalIP", "192.0.2.1")),
        Map.of(),
        "");
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }

  private void create() {
    ObjectNode pod = Manifests.pod("p", "node");
    ObjectNode spec = (ObjectNode) pod.get("spec");
    spec.set("volumes", json(VOLUMES));
    spec.put("serviceAccountName", "default");
    spec.set("imagePullSecrets", json("[{\"name\": \"pull\"}]"));
    ((ObjectNode) pod.at("/spec/containers/0"))
        .set(
            "env",
            json(
                "[{\"name\": \"A\", \"valueFrom\": {\"configMapKeyRef\": {\"name\": \"m\","
                    + " \"key\": \"k\"}}}]"));
    cluster.create("pods", pod);
  }

  private void object(String plural, String kind, String name, String more) {
    cluster.create(
        plural,
        "{\"apiVersion\": \"v1\", \"kind\": \"%s\", \"metadata\": {\"name\": \"%s\", \"namespace\":"
                .formatted(kind, name)
            + " \"default\"}"
            + more
            + "}");
  }

  private static List<String> texts(VolumeContent content) {
    return content.files().stream().map(f -> f.path() + "=" + f.bytes()).toList();
  }

  @Test
  void aPodComesWithItsVolumesEnvironmentAndCredentials() {
    serve();
    if (!cluster.exists("serviceaccounts", "default", "default")) {
      object("serviceaccounts", "ServiceAccount", "default", "");
    }
    String auths = "{\"auths\": {\"example.com\": {\"username\": \"me\", \"password\": \"p\"}}}";
    String encoded = Base64.getEncoder().encodeToString(Buffer.buffer(auths).getBytes());
    object(
        "secrets",
        "Secret",
        "pull",
        ", \"type\": \"kubernetes.io/dockerconfigjson\", \"data\": {\".dockerconfigjson\": \"%s\"}"
            .formatted(encoded));
    create();
    eventually(
        () ->
            assertThat(
                    cluster
                        .pod("p")
                        .at("/status/containerStatuses/0/state/waiting/message")
                        .asText())
                .isEqualTo(
                    "MountVolume.SetUp failed for volume \"map\" : configmap \"m\" not found"));
    assertThat(receiver.created).isEmpty();
    object("configmaps", "ConfigMap", "m", ", \"data\": {\"k\": \"1\"}");

    PodContent content = receiver.content("p");

    assertThat(content.definition().volumes()).hasSize(2);
    assertThat(content.volumes()).extracting(VolumeContent::volume).containsExactly("map", "api");
    assertThat(texts(content.volumes().get(0))).containsExactly("k=1");
    assertThat(content.volumes().get(1).files())
        .extracting(ContentFile::path)
        .containsExactly("token");
    assertThat(content.credentials())
        .isEqualTo(
            Map.of("example.com/app:1", List.of(new RegistryCredential("example.com", "me", "p"))));
    PodView view = Objects.requireNonNull(receiver.views.get("p"));
    assertThat(Objects.requireNonNull(view.spec().containers().get(0).environment()).env())
        .anyMatch(variable -> variable.name().equals("A") && variable.value().equals("1"));

    cluster.patch("configmaps", "default", "m", "{\"data\": {\"k\": \"2\"}}");

    eventually(() -> assertThat(receiver.changed).isNotEmpty());
    assertThat(receiver.changed).extracting(VolumeContent::volume).containsExactly("map");
    assertThat(texts(receiver.changed.get(0))).containsExactly("k=2");
  }

  @Test
  void anEndedPodIsKeptUpToDateNoMore() {
    serve();
    if (!cluster.exists("serviceaccounts", "default", "default")) {
      object("serviceaccounts", "ServiceAccount", "default", "");
    }
    object("configmaps", "ConfigMap", "m", ", \"data\": {\"k\": \"1\"}");
    create();
    receiver.content("p");
    PodView pod = Objects.requireNonNull(receiver.views.get("p"));
    assertThat(contents.find(pod.uid())).isNotNull();

    receiver.end(pod);

    eventually(() -> assertThat(contents.find(pod.uid())).isNull());
  }
}
