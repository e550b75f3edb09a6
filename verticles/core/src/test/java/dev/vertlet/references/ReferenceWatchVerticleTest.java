package dev.vertlet.references;

import static dev.vertlet.model.reference.ReferredKind.CONFIG_MAP;
import static dev.vertlet.model.reference.ReferredKind.SERVICE;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredView;
import dev.vertlet.testing.FakeCluster;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReferenceWatchVerticleTest {
  private static final ReferredKey SERVICES = new ReferredKey(SERVICE, "default", "");
  private static final ReferredKey SETTINGS = new ReferredKey(CONFIG_MAP, "default", "settings");

  private final FakeCluster cluster = FakeCluster.start();
  private final BlockingQueue<ReferredKey> read = new LinkedBlockingQueue<>();
  private final BusReferences references = new BusReferences(cluster.bus(), 0);

  private void deploy(Duration servicesRest) {
    cluster.deploy(
        new ReferenceWatchVerticle(
            cluster.kube(), cluster.bus(), new Random(1), false, servicesRest));
    references.start(this::read);
  }

  private void read(ReferredKey key, List<ReferredView> objects) {
    read.add(key);
  }

  private void follow(ReferredKey key) {
    references.follow(key);
    eventually(() -> assertThat(read).contains(key));
    read.clear();
  }

  private int watches() {
    return get(cluster.server().openWatches());
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void aWatchOfServicesOutlivesItsLastUserAndServesTheNext() {
    deploy(ReferenceWatchVerticle.SERVICES_REST);
    follow(SERVICES);

    references.leave(SERVICES);
    follow(SETTINGS); // the messages before it have arrived
    assertThat(watches()).isEqualTo(2);

    follow(SERVICES);
    assertThat(watches()).isEqualTo(2);
  }

  @Test
  void aWatchOfServicesEndsAfterItsRest() {
    deploy(Duration.ofMillis(1));
    follow(SERVICES);

    references.leave(SERVICES);

    eventually(() -> assertThat(watches()).isZero());
  }

  @Test
  void aWatchOfServicesThatIsNeededAgainDoesNotEnd() {
    deploy(Duration.ofMillis(1));
    follow(SERVICES);

    references.leave(SERVICES);
    follow(SERVICES);
    follow(SETTINGS);

    cluster.create(
        "services",
        """
        {"apiVersion": "v1", "kind": "Service", "metadata": {"namespace": "default", "name": "s"},
         "spec": {"ports": [{"port": 80}], "clusterIP": "10.0.0.9"}}
        """);
    eventually(() -> assertThat(read).contains(SERVICES));
  }

  @Test
  void otherWatchesEndWithTheirLastUser() {
    deploy(ReferenceWatchVerticle.SERVICES_REST);
    follow(SETTINGS);

    references.leave(SETTINGS);

    eventually(() -> assertThat(watches()).isZero());
  }
}
