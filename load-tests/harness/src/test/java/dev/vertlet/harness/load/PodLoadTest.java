package dev.vertlet.harness.load;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.scenario.Lifetime;
import dev.vertlet.harness.scenario.Phase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The test plays the agent: it makes pods and nodes Ready and lets them go. */
@ExtendWith(VertxExtension.class)
class PodLoadTest {
  private static final Phase UP = TestPlans.create("up", 2);

  @TempDir private Path dir;

  private EmbeddedApiServer server;
  private PodLoad load;

  @BeforeEach
  void start(Vertx vertx) throws Exception {
    server = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    Path kubeconfig = get(server.writeKubeconfig(dir.resolve("kubeconfig")));
    load = new PodLoad(TestPlans.of(kubeconfig, TestPlans.scenario(1, 1)));
    get(vertx.deployVerticle(load));
  }

  private void setReady(String plural, String namespace, String name, boolean ready)
      throws Exception {
    get(server.objects().editStatus(plural, namespace, name, object -> condition(object, ready)));
  }

  private static void condition(ObjectNode object, boolean ready) {
    object
        .withObjectProperty("status")
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", ready ? "True" : "False");
  }

  private void awaitPods(int count) {
    eventually(() -> assertThat(get(server.objects().list("pods", "default"))).hasSize(count));
  }

  private void ready(int pod) throws Exception {
    setReady("pods", "default", "x-pod-" + pod, true);
  }

  private void gone(int pod) {
    get(server.objects().deleteNow("pods", "default", "x-pod-" + pod));
  }

  private void awaitDeletes(int count) {
    await().until(() -> server.count("delete", "pods") == count);
  }

  /** Creates two pods, of which one becomes ready. */
  private Future<PhaseResult> halfReady() throws Exception {
    Future<PhaseResult> up = load.run(UP);
    awaitPods(2);
    firstReady();
    return up;
  }

  private void firstReady() throws Exception {
    ready(0);
    eventually(() -> assertThat(load.counts().ready()).isEqualTo(1));
  }

  private Measurements measurements() throws Exception {
    return get(load.measurements());
  }

  @Test
  void measuresPodsFromCreateToGone() throws Exception {
    Future<PhaseResult> up = halfReady();
    assertThat(up.isComplete()).isFalse();
    ready(1);
    PhaseResult ready = get(up);
    assertThat(ready.created()).isEqualTo(2);
    assertThat(ready.ready()).isEqualTo(2);
    assertThat(ready.create().count()).isEqualTo(2);
    assertThat(ready.create().p50()).isPositive();
    assertThat(ready.create().curve()).isNotEmpty();
    assertThat(ready.timeline().stream().mapToInt(PhaseResult.Second::ready).sum()).isEqualTo(2);

    Future<PhaseResult> down = load.run(TestPlans.delete("down", 2));
    awaitDeletes(2);
    gone(0);
    gone(1);

    PhaseResult result = get(down);
    assertThat(result.deleted()).isEqualTo(2);
    assertThat(result.gone()).isEqualTo(2);
    assertThat(result.delete().p50()).isPositive();
    assertThat(result.beganSeconds()).isPositive();
    Measurements measured = measurements();
    assertThat(measured.phases()).containsExactly(up.result(), result);
    assertThat(measured.errors()).isZero();
    assertThat(measured.lost()).isZero();
    assertThat(measured.podFlips()).isZero();
  }

  @Test
  void sendsAgainWhatABusyServerRefusedAndCountsIt() throws Exception {
    server.faults().on("create", "pods").times(3).respond(503, "ServiceUnavailable");

    Future<PhaseResult> up = load.run(UP);
    awaitPods(2);

    assertThat(measurements().errors()).isEqualTo(3);
    assertThat(measurements().lastError()).contains("503");
    assertThat(up.isComplete()).isFalse();
  }

  @Test
  void aCreateWhoseAnswerWasLostIsNoMistake() throws Exception {
    server.faults().on("create", "pods").once().loseAnswer();

    Future<PhaseResult> up = load.run(UP);
    awaitPods(2);
    ready(0);
    ready(1);

    assertThat(get(up).ready()).isEqualTo(2);
  }

  @Test
  void nothingIsCreatedOnceItIsCancelled() {
    load.cancel();

    assertThatThrownBy(() -> get(load.run(UP))).isInstanceOf(CancellationException.class);
    assertThat(server.count("create", "pods")).isZero();
  }

  @Test
  void aRefusalForGoodEndsIt() {
    server.faults().on("create", "pods").forbid();

    assertThatThrownBy(() -> get(load.run(UP))).hasMessageContaining("may not create pods");
  }

  @Test
  void aPodThatVanishesIsLostAndNobodyWaitsForIt() throws Exception {
    Future<PhaseResult> up = halfReady();
    assertThat(up.isComplete()).isFalse();

    gone(1);

    assertThat(get(up).ready()).isEqualTo(1);
    assertThat(measurements().lost()).isEqualTo(1);
    assertThat(measurements().errors()).isZero();
    assertThat(measurements().lastError())
        .isEqualTo("pod x-pod-1 vanished, and nobody asked it to");
  }

  @Test
  void lostReadinessOfPodsAndNodesIsCounted() throws Exception {
    ObjectNode node = Manifests.node("x-node-0");
    ((ObjectNode) node.get("metadata")).putObject("labels").put(LoadPlan.LABEL, "x");
    get(server.objects().create("nodes", node));
    setReady("nodes", "", "x-node-0", true);
    get(load.nodesReady());
    halfReady();

    setReady("pods", "default", "x-pod-0", false);
    setReady("nodes", "", "x-node-0", false);

    eventually(
        () -> {
          assertThat(measurements().podFlips()).isEqualTo(1);
          assertThat(measurements().nodeFlips()).isEqualTo(1);
        });
  }

  /** Creates two pods and plays their agent. */
  private void up() throws Exception {
    Future<PhaseResult> up = load.run(UP);
    awaitPods(2);
    ready(0);
    ready(1);
    assertThat(get(up).ready()).isEqualTo(2);
  }

  @Test
  void aPodGoesAtTheEndOfItsLife() throws Exception {
    Future<PhaseResult> churn =
        load.run(TestPlans.mortal("churn", 2, new Lifetime.Fixed(Duration.ofMillis(50))));
    awaitPods(2);
    ready(0);
    awaitDeletes(1);
    gone(0);
    eventually(() -> assertThat(load.counts().gone()).isEqualTo(1));
    assertThat(churn.isComplete()).isFalse();
    ready(1);
    awaitDeletes(2);
    gone(1);

    PhaseResult result = get(churn);

    assertThat(result.ready()).isEqualTo(2);
    assertThat(result.deleted()).isEqualTo(2);
    assertThat(result.gone()).isEqualTo(2);
    assertThat(measurements().lost()).isZero();
  }

  @Test
  void updatesGoRoundAndRound() throws Exception {
    up();

    PhaseResult result = get(load.run(new Phase.Update("updates", false, 5, TestPlans.BURST)));

    assertThat(result.updates()).isEqualTo(5);
    assertThat(server.count("patch", "pods")).isEqualTo(5);
    assertThat(annotation("x-pod-0")).isEqualTo("4");
    assertThat(annotation("x-pod-1")).isEqualTo("3");
  }

  private String annotation(String pod) throws Exception {
    return get(server.objects().get("pods", "default", pod))
        .at("/metadata/annotations/vertlet.dev~1load-update")
        .asText();
  }

  @Test
  void theOldestAreDeletedFirst() throws Exception {
    up();

    Future<PhaseResult> down = load.run(TestPlans.delete("down", 1));
    awaitDeletes(1);
    gone(0);

    assertThat(get(down).gone()).isEqualTo(1);
    awaitPods(1);
    assertThat(measurements().lost()).isZero();
  }

  @Test
  void podsAreNumberedOverAllPhases() throws Exception {
    up();
    load.run(TestPlans.create("more", 1));

    awaitPods(3);
    assertThat(get(server.objects().find("pods", "default", "x-pod-2"))).isPresent();
  }

  @Test
  void aHoldSendsNothing() throws Exception {
    PhaseResult result = get(load.run(new Phase.Hold("hold", false, Duration.ofMillis(50))));

    assertThat(result.seconds()).isGreaterThan(0.04);
    assertThat(server.count("create", "pods")).isZero();
  }

  @Test
  void phasesDoNotOverlap() {
    load.run(UP);

    assertThatThrownBy(() -> get(load.run(TestPlans.delete("down", 2))))
        .hasMessage("phase up has not ended");
  }

  @Test
  void whatIsGivenUpIsLost() throws Exception {
    Future<PhaseResult> up = halfReady();

    load.giveUp();

    assertThat(get(up).ready()).isEqualTo(1);
    assertThat(measurements().lost()).isEqualTo(1);
    assertThat(measurements().lastError()).isEqualTo("pod x-pod-1 did not become Ready in time");
  }

  @Test
  void aPhaseThatRunsEndsWhenTheLoadIsCancelled() {
    Future<PhaseResult> hold = load.run(new Phase.Hold("hold", false, Duration.ofMinutes(9)));

    load.cancel();

    assertThatThrownBy(() -> get(hold)).isInstanceOf(CancellationException.class);
  }

  @Test
  void sayWhereThereAreNoDeployments() throws Exception {
    Phase deploy = new Phase.Deploy("web", false, 1, 1, TestPlans.BURST);

    assertThatThrownBy(() -> get(load.run(deploy)))
        .isInstanceOf(FailedException.class)
        .hasMessageStartingWith(
            "phase web creates Deployments, which this API server does not have");
    assertThat(measurements().phases()).extracting(PhaseResult::created).containsExactly(0);
  }

  @Test
  void aPartialPhaseIsMeasuredToo() throws Exception {
    halfReady();

    PhaseResult now = measurements().phases().get(0);

    assertThat(now.created()).isEqualTo(2);
    assertThat(now.ready()).isEqualTo(1);
    assertThat(load.counts().phase()).isEqualTo("up");
    assertThat(load.counts().created()).isEqualTo(2);
  }
}
