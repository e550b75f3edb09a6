package dev.vertlet.references;

import static dev.vertlet.model.reference.ReferredKind.CLUSTER_TRUST_BUNDLE;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredView;
import dev.vertlet.model.reference.TrustBundleView;
import dev.vertlet.model.reference.UnservedKind;
import dev.vertlet.testing.FakeCluster;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** ClusterTrustBundles, which API servers serve behind a feature gate. */
class TrustBundleVerticleTest {
  private static final ReferredKey ALL = new ReferredKey(CLUSTER_TRUST_BUNDLE, "", "");
  private static final ReferredKey ONE = new ReferredKey(CLUSTER_TRUST_BUNDLE, "", "one");

  private final Map<ReferredKey, List<ReferredView>> readings = new ConcurrentHashMap<>();

  @SuppressWarnings("NullAway.Init") // set by follow
  private FakeCluster cluster;

  private void follow(ApiServerOptions options, ReferredKey... keys) {
    cluster = FakeCluster.start(options, KubeClientOptions.defaults());
    cluster.deploy(new ReferenceWatchVerticle(cluster.kube(), cluster.bus(), new Random(1)));
    BusReferences references = new BusReferences(cluster.bus(), 0);
    references.start(readings::put);
    Stream.of(keys).forEach(references::follow);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void create(String name, String signer) {
    cluster.create(
        "clustertrustbundles",
        """
        {"apiVersion": "certificates.k8s.io/v1beta1", "kind": "ClusterTrustBundle",
         "metadata": {"name": "%s", "labels": {"l": "v"}},
         "spec": {"signerName": "%s", "trustBundle": "pem"}}
        """
            .formatted(name, signer));
  }

  private List<String> signers(ReferredKey key) {
    return readings.getOrDefault(key, List.of()).stream()
        .map(view -> ((TrustBundleView) view).signerName())
        .toList();
  }

  @Test
  void bundlesAreReadAndWatchedByNameAndAllTogether() {
    follow(ApiServerOptions.defaults().withTrustBundles(), ALL, ONE);
    eventually(() -> assertThat(readings).containsOnlyKeys(ALL, ONE));
    assertThat(readings.values()).allSatisfy(none -> assertThat(none).isEmpty());

    create("one", "example.com/a");
    create("two", "example.com/b");

    eventually(() -> assertThat(signers(ALL)).containsExactly("example.com/a", "example.com/b"));
    eventually(() -> assertThat(signers(ONE)).containsExactly("example.com/a"));
    cluster.deleteNow("clustertrustbundles", "", "one");
    eventually(() -> assertThat(signers(ALL)).containsExactly("example.com/b"));
    eventually(() -> assertThat(readings.get(ONE)).isEmpty());
  }

  @Test
  void withoutTheApiTheReadingSaysSo() {
    follow(ApiServerOptions.defaults(), ONE);

    eventually(
        () ->
            assertThat(readings.get(ONE)).containsExactly(new UnservedKind(CLUSTER_TRUST_BUNDLE)));
  }
}
