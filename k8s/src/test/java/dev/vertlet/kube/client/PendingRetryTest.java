package dev.vertlet.kube.client;

import static dev.vertlet.kube.client.ApiLab.failure;
import static dev.vertlet.kube.client.ApiLab.getNodes;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.Lane;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PendingRetryTest {
  private static final Duration ENDLESS = Duration.ofHours(1);

  @AutoClose private final ApiLab lab = ApiLab.start();
  private final AtomicInteger tries = new AtomicInteger();

  @Test
  void triesAgainOnceTheServerWorksAgain() throws Exception {
    KubeClient client = lab.client();
    Fault broken = lab.server.faults().on("list", "nodes").respond(503, "ServiceUnavailable");
    KubeException why = failure(getNodes(client, Lane.REST));
    client.retryLater(ENDLESS, why, tries::incrementAndGet);
    PendingRetry dropped = client.retryLater(ENDLESS, why, tries::incrementAndGet);
    dropped.cancel();

    broken.lift();
    get(getNodes(client, Lane.REST));
    eventually(() -> assertThat(tries).hasValue(1));
  }

  @Test
  void triesOnceWhateverComesAfterItsTime() throws Exception {
    KubeClient client = lab.client();
    Fault broken = lab.server.faults().on("list", "nodes").respond(503, "ServiceUnavailable");
    KubeException why = failure(getNodes(client, Lane.REST));
    client.retryLater(Duration.ZERO, why, tries::incrementAndGet);
    eventually(() -> assertThat(tries).hasValue(1));

    AtomicInteger later = new AtomicInteger();
    client.retryLater(ENDLESS, why, later::incrementAndGet);
    broken.lift();
    get(getNodes(client, Lane.REST));
    eventually(() -> assertThat(later).hasValue(1));
    assertThat(tries).hasValue(1);
  }

  @Test
  void waitsOutWhatAWorkingServerAskedFor() throws Exception {
    KubeClient client = lab.client();
    AtomicInteger early = new AtomicInteger();
    // a Retry-After pauses all other lanes
    lab.server.faults().on("list", "nodes").once().throttle(3600);
    client.retryLater(ENDLESS, failure(getNodes(client, Lane.LEASE)), early::incrementAndGet);
    lab.server.faults().on("list", "nodes").once().forbid();
    client.retryLater(ENDLESS, failure(getNodes(client, Lane.LEASE)), early::incrementAndGet);
    lab.server.faults().on("list", "nodes").once().respond(503, "ServiceUnavailable");
    client.retryLater(ENDLESS, failure(getNodes(client, Lane.LEASE)), tries::incrementAndGet);

    get(getNodes(client, Lane.LEASE));
    eventually(() -> assertThat(tries).hasValue(1));
    assertThat(early).hasValue(0);
  }
}
