package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodStartupsTest {
  private static final Instant CREATED = Instant.parse("2026-01-31T12:00:00Z");

  private final PodStartups startups = new PodStartups();

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** A pod of two containers in these states. */
  private static PodView pod(String first, String second) {
    String json =
        """
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "p", "namespace": "n", "uid": "u", "resourceVersion": "1",
           "creationTimestamp": "%s"},
         "spec": {"containers": [{"name": "a", "image": "i"}, {"name": "b", "image": "i"}]},
         "status": {"phase": "Pending", "containerStatuses": [
           {"name": "a", "state": {"%s": {}}}, {"name": "b", "state": {"%s": {}}}]}}
        """
            .formatted(CREATED, first, second);
    return new PodDecoder().decode(Buffer.buffer(json));
  }

  private void observe(String first, String second, long atMillis) {
    startups.observe(pod(first, second), millis(atMillis), CREATED.plusMillis(atMillis));
  }

  @Test
  void aPodHasStartedWhenAllItsContainersHave() {
    startups.created("p", millis(100));
    observe("waiting", "waiting", 110);
    observe("running", "waiting", 120);
    assertThat(startups.result().count()).isZero();

    observe("terminated", "running", 400);
    observe("running", "running", 900);

    assertThat(startups.result().count()).isEqualTo(1);
    assertThat(startups.result().p99()).isBetween(300.0, 301.0);
  }

  @Test
  void pullsAreNoPartOfIt() {
    startups.created("p", millis(0));
    startups.pulled("p", Duration.ofMillis(150));
    observe("running", "running", 400);
    startups.pulled("p", Duration.ofMillis(50));
    startups.pulled("of another run", Duration.ofMillis(50));

    assertThat(startups.result().max()).isBetween(200.0, 201.0);
    startups.gone("p");
    assertThat(startups.result().max()).isBetween(200.0, 201.0);
  }

  @Test
  void aPodOfAControllerBeginsWithItsTimestamp() {
    observe("waiting", "waiting", 700);
    observe("running", "running", 900);

    assertThat(startups.result().max()).isBetween(899.0, 901.0);
  }

  @Test
  void aWarmUpDoesNotCount() {
    startups.count(false);
    startups.created("p", millis(0));
    observe("running", "running", 400);
    startups.count(true);
    observe("running", "running", 500);

    assertThat(startups.result().count()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Successfully pulled image "busybox" in 1.2s (1.5s including waiting). Image size: 5 bytes. | 1500
          Successfully pulled image "busybox" in 312ms                                               | 312
          Successfully pulled image "busybox" in 2m1.5s (2m2s including waiting)                     | 122000
          Container image "busybox" already present on machine                                       | 0
          Successfully pulled image "busybox" in no time                                             | 0
          """)
  void eventsTellThePullsTime(String message, long expectedMillis) {
    assertThat(PullView.took(message)).isEqualTo(Duration.ofMillis(expectedMillis));
  }
}
