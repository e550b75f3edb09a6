package dev.vertlet.kube.client;

import static dev.vertlet.kube.client.ApiLab.FAST;
import static dev.vertlet.kube.client.ApiLab.failure;
import static dev.vertlet.kube.client.ApiLab.getNodes;
import static dev.vertlet.kube.client.ApiLab.patchStatus;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.RequestScope;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class KubeClientTest {
  @AutoClose private final ApiLab lab = ApiLab.start();

  @Test
  void laneBeforeAgeDecidesWhoLeavesNext() throws Exception {
    KubeClient client = lab.client(FAST.withWindow(1));
    lab.server.faults().on("get", "pods").once().delay(Duration.ofMillis(200));
    Future<?> blocker = failing(client.send(get(Lane.REST, "blocker")));

    List<Future<?>> waiting = new ArrayList<>();
    for (Lane lane : List.of(Lane.REST, Lane.EVENT, Lane.POD_STATUS, Lane.NODE)) {
      waiting.add(failing(client.send(get(lane, "first-" + lane))));
      waiting.add(failing(client.send(get(lane, "second-" + lane))));
    }
    Waits.get(Future.join(waiting));
    assertThat(blocker.isComplete()).isTrue();
    assertThat(lab.server.requests().stream().map(r -> r.name()))
        .containsExactly(
            "blocker",
            "first-NODE",
            "second-NODE",
            "first-POD_STATUS",
            "second-POD_STATUS",
            "first-EVENT",
            "second-EVENT",
            "first-REST",
            "second-REST");
  }

  @Test
  void aLeaseNeverWaitsForPods() throws Exception {
    KubeClient client = lab.client();
    lab.server.faults().on("patch", "pods/status").hang();
    List<Future<?>> patches = new ArrayList<>();
    IntStream.range(0, 10_000).forEach(i -> patches.add(failing(patchStatus(client, "p" + i))));

    KubeException answer =
        failure(client.send(KubeRequest.get(Lane.LEASE, KubePath.nodeLease("a"))));
    assertThat(answer.kind()).isEqualTo(Kind.NOT_FOUND);
    assertThat(patches).noneMatch(Future::isComplete);
    assertThat(lab.gauge(KubeMetrics.QUEUE_DEPTH, "lane", "pod_status")).isEqualTo(10_000 - 64);
    Waits.get(client.close());
    Waits.get(Future.join(patches));
  }

  @Test
  void anAnswerIsReadInPartsBesideFullLanes() throws Exception {
    KubeClient client = lab.client(FAST.withWindow(1));
    lab.server.faults().on("list", "nodes").hang();
    Future<?> blocker = failing(getNodes(client, Lane.REST));
    StringBuilder text = new StringBuilder();

    Waits.get(client.read(KubePath.pods(), MediaType.JSON, part -> text.append(part)));

    assertThat(text.toString()).contains("PodList");
    assertThat(blocker.isComplete()).isFalse();
  }

  @Test
  void aRefusedReadingTellsWhy() throws Exception {
    KubeClient client = lab.client();
    lab.server.faults().on("list", "pods").forbid();

    KubeException refused =
        failure(client.read(KubePath.pods(), MediaType.JSON, part -> text(part)));

    assertThat(refused.kind()).isEqualTo(Kind.FORBIDDEN);
    assertThat(refused).hasMessageContaining("pods");
  }

  @Test
  void aReadingEndsWithItsClient() throws Exception {
    KubeClient client = lab.client();
    Fault hang = lab.server.faults().on("list", "pods").hang();
    Future<Void> reading = client.read(KubePath.pods(), MediaType.JSON, part -> text(part));
    await().until(() -> hang.hits() == 1);

    Waits.get(client.close());

    assertThat(failure(reading)).hasMessageContaining("the client is closed");
    assertThat(failure(client.read(KubePath.pods(), MediaType.JSON, part -> text(part))))
        .hasMessageContaining("the client is closed");
  }

  private static void text(Buffer part) {
    throw new AssertionError("not expected: " + part);
  }

  @Test
  void theWindowBoundsWhatIsInFlight() throws Exception {
    KubeClient client = lab.client(FAST.withWindow(3));
    Fault hang = lab.server.faults().on("list", "nodes").hang();

    IntStream.range(0, 10).forEach(i -> failing(getNodes(client, Lane.REST)));
    await().until(() -> hang.hits() == 3);
    assertThat(lab.gauge(KubeMetrics.IN_FLIGHT, "connection", "main")).isEqualTo(3);
    Waits.get(client.close());
  }

  @Test
  void a429PausesAllLanesButLeases() throws Exception {
    KubeClient client = lab.client();
    lab.server.faults().on("patch", "pods/status").once().throttle(1);

    KubeException throttled = failure(patchStatus(client, "a"));
    List<String> order = new CopyOnWriteArrayList<>();
    Future<?> node = getNodes(client, Lane.NODE).onSuccess(r -> order.add("node"));
    for (int i = 0; i < 5; i++) {
      failure(client.send(KubeRequest.get(Lane.LEASE, KubePath.nodeLease("a"))));
      order.add("lease");
    }
    Waits.get(node);
    assertThat(throttled.kind()).isEqualTo(Kind.THROTTLED);
    assertThat(throttled.retryAfter()).contains(Duration.ofSeconds(1));
    assertThat(order).containsExactly("lease", "lease", "lease", "lease", "lease", "node");
    assertThat(lab.metric(KubeMetrics.PAUSES)).isEqualTo(1);
  }

  @Test
  void forbiddenSaysWhatRbacMustGrant() throws Exception {
    KubeClient client = lab.client();
    lab.server.faults().on("patch", "pods/status").forbid();

    KubeException failure = failure(patchStatus(client, "a"));
    assertThat(failure.kind()).isEqualTo(Kind.FORBIDDEN);
    assertThat(failure)
        .hasMessageStartingWith("forbidden: user \"")
        .hasMessageContaining("may not patch pods/status in API group \"\"; RBAC must grant it");
  }

  @Test
  void aLostConnectionFailsAllInFlightAndTheNextRequestReconnects() throws Exception {
    KubeClient client = lab.client();
    Fault hang = lab.server.faults().on("list", "nodes").times(20).hang();
    List<Future<?>> inFlight = new ArrayList<>();
    IntStream.range(0, 20).forEach(i -> inFlight.add(getNodes(client, Lane.REST)));
    await().until(() -> hang.hits() == 20);

    Waits.get(lab.server.cutConnections());
    for (Future<?> request : inFlight) {
      assertThat(failure(request).kind()).isEqualTo(Kind.TRANSPORT);
    }
    assertThat(Waits.get(getNodes(client, Lane.REST)).status()).isEqualTo(200);
    assertThat(lab.metric(KubeMetrics.CONNECTIONS, "connection", "main")).isEqualTo(2);
  }

  @Test
  void aLostConnectionDoesNotFailWhatStillWaits() throws Exception {
    KubeClient client = lab.client(FAST.withWindow(4));
    Fault hang = lab.server.faults().on("list", "nodes").times(4).hang();
    List<Future<KubeResponse>> requests = new ArrayList<>();
    IntStream.range(0, 500).forEach(i -> requests.add(getNodes(client, Lane.REST)));
    await().until(() -> hang.hits() == 4);

    Waits.get(lab.server.cutConnections());
    Waits.get(Future.join(requests).otherwiseEmpty());
    assertThat(requests.subList(0, 4)).allMatch(Future::failed);
    assertThat(requests.subList(4, 500)).allMatch(Future::succeeded);
  }

  @Test
  void anUnansweredRequestTimesOutAndFreesItsPlace() throws Exception {
    KubeClient client = lab.client(FAST.withWindow(1));
    lab.server.faults().on("list", "nodes").once().hang();

    KubeException failure =
        failure(
            client.send(
                KubeRequest.get(Lane.REST, KubePath.nodes()).withTimeout(Duration.ofMillis(50))));
    assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
    assertThat(failure).hasMessage("get /api/v1/nodes: no answer within 50 ms");
    assertThat(Waits.get(getNodes(client, Lane.REST)).status()).isEqualTo(200);
  }

  @Test
  void comesBackWithTheServer() throws Exception {
    Waits.get(lab.server.suspend());
    KubeClient client = lab.client();

    KubeException refused = failure(getNodes(client, Lane.REST));
    boolean reachableBefore = client.reachable();
    Waits.get(lab.server.resume());
    assertThat(refused.kind()).isEqualTo(Kind.TRANSPORT);
    // the system may take a connection for a listener that is just closing
    assertThat(refused).message().containsPattern("refused|closed");
    assertThat(reachableBefore).isFalse();
    eventually(
        () ->
            assertThat(
                    Waits.get(getNodes(client, Lane.REST).map(KubeResponse::status).otherwise(0)))
                .isEqualTo(200));
    assertThat(client.reachable()).isTrue();
  }

  @Test
  void answersOnTheCallersContext() throws Exception {
    KubeClient client = lab.client();
    Context other = ((io.vertx.core.internal.VertxInternal) lab.vertx).createEventLoopContext();
    Promise<Context> seen = Promise.promise();

    other.runOnContext(
        v -> getNodes(client, Lane.REST).onComplete(r -> seen.complete(Vertx.currentContext())));
    assertThat(Waits.get(seen.future())).isSameAs(other);
  }

  @Test
  void takesARequestInPlaceOnItsOwnLoop() throws Exception {
    KubeClient client = lab.client(FAST.withWindow(1));
    ContextInternal loop = client.context();
    Promise<Double> inFlight = Promise.promise();

    loop.runOnContext(
        v -> {
          failing(getNodes(client, Lane.REST));
          inFlight.complete(lab.gauge(KubeMetrics.IN_FLIGHT, "connection", "main"));
        });
    assertThat(Waits.get(inFlight.future())).isEqualTo(1);
  }

  @Test
  void aCapHoldsRequestsBackButNoLease() throws Exception {
    KubeClient client = lab.client(FAST.withCap(0.001, 2));

    Waits.get(getNodes(client, Lane.REST));
    Waits.get(getNodes(client, Lane.REST));
    Future<?> third = failing(getNodes(client, Lane.REST));
    failure(client.send(KubeRequest.get(Lane.LEASE, KubePath.nodeLease("a"))));
    assertThat(third.isComplete()).isFalse();
    assertThat(lab.server.count("get", "leases")).isEqualTo(1);
    Waits.get(client.close());
  }

  @Test
  void closingFailsWhatWaitsAndWhatIsInFlight() throws Exception {
    KubeClient client = lab.client(FAST.withWindow(1));
    Fault hang = lab.server.faults().on("list", "nodes").hang();
    Future<?> inFlight = getNodes(client, Lane.REST);
    Future<?> waiting = getNodes(client, Lane.REST);
    await().until(() -> hang.hits() == 1);

    Waits.get(client.close());
    assertThat(failure(inFlight).kind()).isEqualTo(Kind.TRANSPORT);
    assertThat(failure(waiting)).hasMessageContaining("the client is closed");
    assertThat(failure(getNodes(client, Lane.REST))).hasMessageContaining("the client is closed");
  }

  @Test
  void closingAScopeGivesUpWhatWaitsAndWhatIsInFlight() throws Exception {
    KubeClient client = lab.client(FAST.withWindow(1));
    Fault hang = lab.server.faults().on("get", "pods").named("flying").hang();
    RequestScope scope = client.scope();
    Future<?> inFlight = scope.send(get(Lane.NODE, "flying"));
    List<Future<?>> waiting = new ArrayList<>();
    IntStream.range(0, 50)
        .forEach(i -> waiting.add(scope.send(get(Lane.POD_STATUS, "waiting-" + i))));
    Future<?> bystander = failing(client.send(get(Lane.REST, "bystander")));
    await().until(() -> hang.hits() == 1);

    scope.close();
    assertThat(failure(inFlight).kind()).isEqualTo(Kind.CANCELLED);
    for (Future<?> request : waiting) {
      assertThat(failure(request).kind()).isEqualTo(Kind.CANCELLED);
    }
    assertThat(failure(scope.send(get(Lane.REST, "late"))).kind()).isEqualTo(Kind.CANCELLED);
    Waits.get(bystander);
    assertThat(lab.server.requests().stream().map(r -> r.name()))
        .containsExactly("flying", "bystander");
  }

  @Test
  void aSenderWithALimitWaitsAloneForIt() throws Exception {
    KubeClient client = lab.client(FAST.withWindow(2));
    client.limit("slow", 1, 2);
    RequestScope slow = client.scope("slow");

    List<Future<?>> limited = new ArrayList<>();
    IntStream.range(0, 10)
        .forEach(i -> limited.add(failing(slow.send(get(Lane.POD_STATUS, "slow-" + i)))));
    List<Future<?>> others = new ArrayList<>();
    IntStream.range(0, 10)
        .forEach(i -> others.add(failing(client.scope("b").send(get(Lane.REST, "b-" + i)))));
    Waits.get(Future.join(others));
    Waits.get(limited.get(1));
    assertThat(limited.get(9).isComplete()).as("after 8 s").isFalse();
    assertThat(slow.limited()).isTrue();
    client.limit("slow", 0, 0);
    Waits.get(failing(slow.send(get(Lane.POD_STATUS, "free"))));
    assertThat(slow.limited()).isFalse();
    assertThat(limited.get(9).isComplete()).isFalse();
  }

  @Test
  void whatWasGivenUpTakesNoToken() throws Exception {
    // given: two tokens, and a place in the window that is taken
    KubeClient client = lab.client(FAST.withWindow(1).withCap(0.001, 2));
    Fault hang = lab.server.faults().on("get", "pods").named("flying").hang();
    Duration limit = Duration.ofMillis(500);
    Future<?> flying = failing(client.send(get(Lane.NODE, "flying").withTimeout(limit)));
    await().until(() -> hang.hits() == 1);
    RequestScope scope = client.scope();
    List<Future<?>> unwanted = new ArrayList<>();
    IntStream.range(0, 10).forEach(i -> unwanted.add(failing(scope.send(get(Lane.NODE, "u" + i)))));
    Future<?> wanted = failing(client.send(get(Lane.REST, "wanted")));

    scope.close();
    Waits.get(Future.all(unwanted));
    Waits.get(flying);
    Waits.get(wanted);
    assertThat(lab.server.requests().stream().map(r -> r.name()))
        .containsExactly("flying", "wanted");
  }

  @Test
  void whatWasGivenUpDoesNotCountAsWaiting() throws Exception {
    KubeClient client = lab.client(FAST.withWindow(1));
    Fault hang = lab.server.faults().on("get", "pods").hang();
    failing(client.send(get(Lane.NODE, "flying")));
    await().until(() -> hang.hits() == 1);
    RequestScope scope = client.scope();
    IntStream.range(0, 10).forEach(i -> failing(scope.send(get(Lane.REST, "u" + i))));
    failing(client.send(get(Lane.REST, "wanted")));
    await().until(() -> lab.gauge(KubeMetrics.QUEUE_DEPTH, "lane", "rest") == 11);

    scope.close();
    eventually(() -> assertThat(lab.gauge(KubeMetrics.QUEUE_DEPTH, "lane", "rest")).isEqualTo(1));
    Waits.get(client.close());
  }

  @Test
  void countsRequestsByVerbResourceAndCode() throws Exception {
    KubeClient client = lab.client();

    Waits.get(getNodes(client, Lane.REST));
    failure(patchStatus(client, "none"));
    assertThat(lab.metric(KubeMetrics.REQUESTS, "verb", "get", "resource", "nodes", "code", "200"))
        .isEqualTo(1);
    assertThat(
            lab.metric(
                KubeMetrics.REQUESTS, "verb", "patch", "resource", "pods/status", "code", "404"))
        .isEqualTo(1);
    assertThat(
            lab.registry
                .get(KubeMetrics.RECEIVED.name())
                .tags("verb", "get", "resource", "nodes")
                .summary()
                .totalAmount())
        .isPositive();
  }

  @Test
  void aPathPrefixOfTheServerStaysInFront() throws Exception {
    ApiLab lab = this.lab.with(ApiServerOptions.defaults().withPlainHttp().withTokens());
    KubeClient client = lab.client(FAST, ApiAccess.of(lab.server.url() + "/k8s/c1/", ""));

    failure(getNodes(client, Lane.REST));
    assertThat(lab.server.requests().get(0).path()).isEqualTo("/k8s/c1/api/v1/nodes");
  }

  private static KubeRequest get(Lane lane, String pod) {
    return KubeRequest.get(lane, KubePath.pod("default", pod));
  }

  /** Completes with the outcome, whatever it is. */
  private static Future<?> failing(Future<?> request) {
    return request.transform(done -> Future.succeededFuture(Collections.singletonList(done)));
  }
}
