package dev.vertlet.pods;

import static dev.vertlet.model.reference.ReferredKind.CONFIG_MAP;
import static dev.vertlet.model.reference.ReferredKind.SECRET;
import static dev.vertlet.testing.EnvPods.allOf;
import static dev.vertlet.testing.EnvPods.data;
import static dev.vertlet.testing.EnvPods.entry;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.vertlet.bus.PodReport;
import dev.vertlet.env.FakeReferences;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.CommandView;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.container.EnvironmentView.Source;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.pod.NetworkView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredKind;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.failure.FailedTry;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.RetryPolicy;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.pod.ForwardingProvider;
import dev.vertlet.provider.pod.PodStatuses;
import dev.vertlet.testing.EnvPods;
import dev.vertlet.testing.QuietProvider;
import dev.vertlet.testing.Statuses;
import dev.vertlet.testing.ToldContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * virtual-kubelet §1.11: what a provider of whole pods that asked for it gets, and what is told.
 */
@ExtendWith(VertxExtension.class)
class ResolvingProviderTest {
  private static final ReferredKey SETTINGS = new ReferredKey(CONFIG_MAP, "ns", "settings");
  private static final ReferredKey HIDDEN = new ReferredKey(SECRET, "ns", "hidden");

  private final FakeReferences cluster = new FakeReferences();
  private final List<PodView> handed = new ArrayList<>();
  private ToldContext told;
  private @Nullable PodReport held;
  private Future<Void> updates = Future.succeededFuture();
  private final ResolvingProvider provider =
      new ResolvingProvider(new Recorder(), cluster, name -> node());

  private static NodeSpec node() {
    return new NodeSpec(
        "node-1",
        Map.of(),
        Map.of(),
        List.of(),
        Map.of(),
        Map.of(),
        List.of(new NodeAddressView("InternalIP", "192.0.2.1")),
        Map.of(),
        "");
  }

  @BeforeEach
  void start(Vertx vertx) throws Exception {
    told = new ToldContext(vertx, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
    get(provider.start(told));
  }

  /** Type, reason and message of each. */
  private List<String> events() {
    return told.events().stream()
        .map(event -> event.type() + " " + event.reason() + " " + event.message())
        .toList();
  }

  private static PodView pod(ContainerView... containers) {
    return EnvPods.pod(false, List.of(), List.of(containers));
  }

  private static ContainerView wanting() {
    return EnvPods.container(
            List.of(allOf(SECRET, "hidden")), entry("C", CONFIG_MAP, "settings", "colour"))
        .withCommand(new CommandView(List.of("paint", "$(C)"), List.of()));
  }

  private void api() {
    for (ReferredKey key : List.copyOf(cluster.followed)) {
      if (key.kind() == ReferredKind.SERVICE) {
        cluster.tell(key);
      }
    }
  }

  @Test
  void aPodIsHandedOverWithValuesOnlyOnceAllIsRead() {
    PodView pod = pod(wanting());

    Future<Void> created = provider.create(pod);
    api();
    cluster.tell(HIDDEN, data("hidden", Map.of("KEY", "s3cret")));
    assertThat(handed).isEmpty();
    cluster.tell(SETTINGS, data("settings", Map.of("colour", "red")));
    assertThat(created.succeeded()).isTrue();
    ContainerView got = handed.get(0).spec().containers().get(0);
    EnvironmentView environment = Objects.requireNonNull(got.environment());
    assertThat(environment.literal()).isTrue();
    assertThat(environment.env())
        .extracting(EnvironmentView.Variable::name, EnvironmentView.Variable::value)
        .contains(tuple("KEY", "s3cret"), tuple("C", "red"));
    assertThat(got.command().command()).containsExactly("paint", "red");
    assertThat(handed.get(0).spec().hash()).isEqualTo(pod.spec().hash());
    assertThat(events()).isEmpty();
    assertThat(cluster.followed).as("nothing is followed any more").isEmpty();
  }

  /**
   * virtual-kubelet PodNoSpecChangeWithResolvedEnvOrderDifference: whatever is read first, the
   * variables come in one order, and the pod is the same to whoever compares.
   */
  @Test
  @Tag("PodNoSpecChangeWithResolvedEnvOrderDifference")
  void theOrderOfTheVariablesIsAlwaysTheSame() {
    PodView pod = pod(wanting());
    Map<String, String> secrets = Map.of("F", "6", "A", "1", "E", "5", "B", "2", "D", "4");
    Runnable hidden = () -> cluster.tell(HIDDEN, data("hidden", secrets));
    Runnable settings = () -> cluster.tell(SETTINGS, data("settings", Map.of("colour", "red")));
    for (List<Runnable> order : List.of(List.of(hidden, settings), List.of(settings, hidden))) {
      Future<Void> created = provider.create(pod);
      api();
      order.forEach(Runnable::run);
      assertThat(created.succeeded()).isTrue();
    }
    assertThat(handed).hasSize(2);
    for (PodView got : handed) {
      assertThat(Objects.requireNonNull(got.spec().containers().get(0).environment()).env())
          .extracting(EnvironmentView.Variable::name)
          .containsExactly("A", "B", "D", "E", "F", "C");
      assertThat(got.spec().hash()).isEqualTo(pod.spec().hash());
    }
  }

  @Test
  void whatIsMandatoryAndMissingKeepsThePodAndIsToldInVirtualKubeletsWords() {
    PodView pod = pod(wanting());

    Future<Void> created = provider.create(pod);
    api();
    cluster.tell(HIDDEN);
    assertThat(created.failed()).isTrue();
    assertThat(created.cause())
        .hasMessage("secret \"hidden\" not found")
        .isInstanceOfSatisfying(
            ProviderException.class,
            e ->
                assertThat(ProviderException.kindOf(e))
                    .isEqualTo(ProviderException.Kind.TEMPORARY));
    assertThat(events())
        .containsExactly("Warning MandatorySecretNotFound secret \"hidden\" not found");
    assertThat(handed).isEmpty();

    cluster.tell(SETTINGS, data("settings", Map.of("colour", "red")));
    cluster.tell(HIDDEN, data("hidden", Map.of()));
    Future<Void> again = provider.create(pod);
    assertThat(again.succeeded()).isTrue();
    assertThat(handed).hasSize(1);
  }

  @Test
  void whatIsOptionalAndMissingIsToldAndLeftOut() {
    Source optional = new Source("", CONFIG_MAP, "settings", true);

    Future<Void> updated = provider.update(pod(EnvPods.container(List.of(optional))));
    api();
    cluster.tell(SETTINGS);

    assertThat(updated.succeeded()).isTrue();
    assertThat(events())
        .containsExactly("Warning OptionalConfigMapNotFound configmap \"settings\" not found");
  }

  private Future<Void> created(PodView pod) {
    Future<Void> created = provider.create(pod);
    api();
    cluster.tell(HIDDEN, data("hidden", Map.of("KEY", "s3cret")));
    cluster.tell(SETTINGS, data("settings", Map.of("colour", "red")));
    return created;
  }

  /**
   * virtual-kubelet 2.4-11: the ConfigMap and the Secret of a pod are gone, and an update of its
   * labels, its image and its command arrives with what the pod was given at its creation.
   */
  @Test
  @Tag("2.4-11")
  void anUpdateNeedsNothingOfWhatThePodRefersTo() {
    PodView pod = pod(wanting());
    assertThat(created(pod).succeeded()).isTrue();

    ContainerView changed =
        wanting().withCommand(new CommandView(List.of("brush", "$(KEY)"), List.of()));
    Future<Void> updated = provider.update(pod(changed));
    assertThat(cluster.followed).as("nothing is read again").isEmpty();
    assertThat(updated.succeeded()).isTrue();
    ContainerView before = handed.get(0).spec().containers().get(0);
    ContainerView got = handed.get(1).spec().containers().get(0);
    assertThat(got.environment()).isEqualTo(before.environment());
    assertThat(got.command().command()).containsExactly("brush", "s3cret");
    assertThat(events()).isEmpty();
  }

  /** virtual-kubelet EphemeralContainers: one that is added later gets its own environment. */
  @Test
  @Tag("EphemeralContainers")
  void onlyAContainerThatIsNewIsGivenAnything() {
    PodView pod = pod(wanting());
    assertThat(created(pod).succeeded()).isTrue();
    ReferredKey tools = new ReferredKey(CONFIG_MAP, "ns", "tools");
    ContainerView debugger =
        EnvPods.container("debugger", List.of(), entry("T", CONFIG_MAP, "tools", "best"));

    PodView more =
        pod.withSpec(
            pod.spec().withContainers(List.of(), pod.spec().containers(), List.of(debugger)));
    Future<Void> updated = provider.update(more);
    assertThat(cluster.followed).contains(tools).doesNotContain(HIDDEN, SETTINGS);
    api();
    cluster.tell(tools, data("tools", Map.of("best", "strace")));
    assertThat(updated.succeeded()).isTrue();
    PodView got = handed.get(1);
    assertThat(variables(got.spec().containers().get(0))).contains(tuple("C", "red"));
    assertThat(variables(got.spec().ephemeralContainers().get(0)))
        .containsExactly(tuple("T", "strace"));

    Future<Void> again = provider.update(more);
    assertThat(again.succeeded()).isTrue();
    assertThat(handed.get(2).spec()).isEqualTo(got.spec());
  }

  private static List<Tuple> variables(ContainerView container) {
    return Objects.requireNonNull(container.environment()).env().stream()
        .map(variable -> tuple(variable.name(), variable.value()))
        .toList();
  }

  /** A pod that begins anew, and one that was ended, keep nothing of what was given. */
  @Test
  void whatWasGivenIsForgottenWithThePod() {
    PodView pod = pod(wanting());
    List<Runnable> ends =
        List.of(
            () -> provider.delete(pod, Duration.ofSeconds(1)),
            () -> provider.kill(pod.ref()),
            () -> provider.release("node-1"));
    for (Runnable end : ends) {
      assertThat(created(pod).succeeded()).isTrue();
      end.run();

      Future<Void> updated = provider.update(pod);

      assertThat(updated.isComplete()).isFalse();
      assertThat(cluster.followed).contains(HIDDEN, SETTINGS);
      provider.kill(pod.ref());
    }
    provider.release("node-2");
    assertThat(created(pod).succeeded()).isTrue();
    provider.release("node-2");
    assertThat(provider.update(pod).succeeded()).isTrue();
    assertThat(provider.create(pod).isComplete()).as("a create reads anew").isFalse();
  }

  /**
   * virtual-kubelet 2.4-10: a pod that needs its address is told of while it has none, and is
   * handed over once it has one.
   */
  @ParameterizedTest
  @ValueSource(strings = {"status.podIP", "status.podIPs"})
  @Tag("2.4-10")
  void aPodWithoutAnAddressWaitsForItAndSaysSo(String path) {
    PodView pod = pod(EnvPods.container(List.of(), EnvPods.field("MINE", path)));

    Future<Void> created = provider.create(pod);
    assertThat(created.failed()).isTrue();
    assertThat(created.cause())
        .hasMessage(
            "variable \"MINE\" of container \"c\" refers to "
                + path
                + ", and the pod has no address yet");
    assertThat(ProviderException.kindOf(created.cause()))
        .isEqualTo(ProviderException.Kind.TEMPORARY);
    assertThat(ProviderException.reasonOf(created.cause(), ""))
        .isEqualTo("CreateContainerConfigError");
    assertThat(handed).isEmpty();

    Instant now = Instant.EPOCH;
    Future<Void> again =
        provider.create(
            pod.withStatus(PodStatuses.running(pod, "192.0.2.1", List.of("10.0.0.7"), now)));
    api();
    assertThat(again.succeeded()).isTrue();
    assertThat(variables(handed.get(0).spec().containers().get(0)))
        .containsExactly(tuple("MINE", "10.0.0.7"));
  }

  @Test
  @Tag("2.4-10")
  @Tag("C15")
  void onTheHostsNetworkThePodHasItsAddressAtOnce() {
    ContainerView container = EnvPods.container(List.of(), EnvPods.field("MINE", "status.podIP"));
    PodView host = EnvPods.named("p", true, NetworkView.DEFAULT);
    PodView pod = host.withSpec(host.spec().withContainers(List.of(), List.of(container)));

    Future<Void> created = provider.create(pod);
    api();

    assertThat(created.succeeded()).isTrue();
    assertThat(variables(handed.get(0).spec().containers().get(0)))
        .containsExactly(tuple("MINE", "192.0.2.1"));
  }

  @Test
  void aPodThatIsWantedNoLongerIsNotHandedOver() {
    PodView pod = pod(wanting());
    Future<Void> deleted = provider.create(pod);
    provider.delete(pod, Duration.ofSeconds(1));
    Future<Void> killed = provider.create(pod);
    provider.kill(pod.ref());
    Future<Void> overtaken = provider.create(pod);
    Future<Void> released = provider.update(pod);
    provider.release("node-1");

    for (Future<Void> call : List.of(deleted, killed, overtaken, released)) {
      assertThat(call.failed()).isTrue();
    }
    assertThat(cluster.followed).isEmpty();
    assertThat(handed).isEmpty();
  }

  private void runs(PodView pod, PodPhase phase) {
    held = new PodReport(pod.ref(), pod.nodeName(), Statuses.in(phase).build(), phase.terminal());
  }

  private static boolean literal(PodView pod) {
    return Objects.requireNonNull(pod.spec().containers().get(0).environment()).literal();
  }

  @Test
  void aPodThatTheProviderRunsIsPassedOnWithoutItsEnvironmentWhichFollows() {
    PodView pod = pod(wanting());
    runs(pod, PodPhase.RUNNING);

    Future<Void> claimed = provider.create(pod);
    api();
    cluster.tell(HIDDEN);
    assertThat(claimed.succeeded()).isTrue();
    assertThat(handed).hasSize(1);
    assertThat(literal(handed.get(0))).isFalse();
    assertThat(events())
        .containsExactly("Warning MandatorySecretNotFound secret \"hidden\" not found");

    cluster.tell(SETTINGS, data("settings", Map.of("colour", "red")));
    assertThat(handed).hasSize(1);
    cluster.tell(HIDDEN, data("hidden", Map.of("KEY", "s3cret")));

    assertThat(handed).hasSize(2);
    assertThat(literal(handed.get(1))).isTrue();
    assertThat(cluster.followed).as("nothing is followed any more").isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "FAILED"})
  void aPodThatIsOverInTheProviderIsNotPassedOnWithoutItsEnvironment(PodPhase phase) {
    PodView pod = pod(wanting());
    runs(pod, phase);

    Future<Void> claimed = provider.create(pod);
    api();
    cluster.tell(HIDDEN);

    assertThat(claimed.failed()).isTrue();
    assertThat(handed).isEmpty();
  }

  @Test
  void anUpdateOfAPodWithoutItsEnvironmentWaitsForIt() {
    PodView pod = pod(wanting());
    runs(pod, PodPhase.RUNNING);
    provider.create(pod);
    api();
    cluster.tell(HIDDEN);
    PodView changed = pod.withStatus(pod.status());

    Future<Void> updated = provider.update(changed);
    assertThat(updated.failed()).isTrue();
    assertThat(ProviderException.reasonOf(updated.cause(), ""))
        .isEqualTo("CreateContainerConfigError");
    cluster.tell(SETTINGS, data("settings", Map.of("colour", "red")));
    cluster.tell(HIDDEN, data("hidden", Map.of("KEY", "s3cret")));

    assertThat(handed).hasSize(2);
    assertThat(literal(handed.get(1))).isTrue();
  }

  @Test
  void operationsWaitForTheUpdateThatBringsTheEnvironment() {
    PodView pod = pod(wanting());
    runs(pod, PodPhase.RUNNING);
    provider.create(pod);
    api();
    cluster.tell(HIDDEN);
    cluster.tell(SETTINGS, data("settings", Map.of("colour", "red")));
    Promise<Void> slow = Promise.promise();
    updates = slow.future();
    cluster.tell(HIDDEN, data("hidden", Map.of("KEY", "s3cret")));

    Future<Void> killed = provider.kill(pod.ref());
    assertThat(killed.isComplete()).isFalse();
    slow.fail("lost");

    assertThat(killed.succeeded()).isTrue();
  }

  @Test
  void aDeletedPodGetsItsEnvironmentNoMore() {
    PodView pod = pod(wanting());
    runs(pod, PodPhase.RUNNING);
    provider.create(pod);
    api();
    cluster.tell(HIDDEN);

    provider.delete(pod, Duration.ofSeconds(1));

    assertThat(cluster.followed).isEmpty();
    assertThat(handed).hasSize(1);
  }

  @Test
  void anEnvironmentIsTriedAgainAsSoonAsByAKubelet() {
    Throwable missing =
        new ProviderException(
            ProviderException.Kind.TEMPORARY, ResolvingProvider.UNRESOLVED, "not found");
    PodRef pod = new PodRef("ns", "p", "u");
    Random random = new Random(1);
    RetryPolicy retries = provider.retries();

    assertThat(retries.next(new FailedTry(pod, 1, Duration.ZERO, missing), random).orElseThrow())
        .isBetween(Duration.ofSeconds(1), Duration.ofMillis(1_200));
    assertThat(retries.next(new FailedTry(pod, 99, Duration.ZERO, missing), random).orElseThrow())
        .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(15));
    Throwable other = new IllegalStateException("away");
    assertThat(retries.next(new FailedTry(pod, 99, Duration.ZERO, other), random).orElseThrow())
        .isGreaterThanOrEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void theRestIsTheProvidersOwnBusiness() {
    assertThat(provider.writesEvents()).isFalse();
    assertThat(provider.usesEnvironment()).isTrue();
    assertThat(provider.nodes()).isSameAs(NodeProvider.ALWAYS_HEALTHY);
    assertThat(provider.list().result()).isEmpty();
    assertThat(provider.get(new PodRef("ns", "p", "u")).result()).isEmpty();
    assertThat(provider.drain(Duration.ofSeconds(1)).succeeded()).isTrue();
    provider.create(pod(wanting()));
    assertThat(provider.stop().succeeded()).isTrue();
    assertThat(cluster.followed).isEmpty();
    assertThatThrownBy(
            () ->
                new ResolvingProvider(new Recorder(), cluster, name -> node())
                    .create(pod(wanting())))
        .hasMessage("the provider is not started");
  }

  /** Takes pods and remembers them. */
  private final class Recorder extends ForwardingProvider {
    Recorder() {
      super(new QuietProvider(false));
    }

    @Override
    public Future<Void> create(PodView pod) {
      handed.add(pod);
      return Future.succeededFuture();
    }

    @Override
    public Future<Void> update(PodView pod) {
      return create(pod).compose(done -> updates);
    }

    @Override
    public Future<Optional<PodReport>> get(PodRef pod) {
      return held == null ? super.get(pod) : Future.succeededFuture(Optional.of(held));
    }
  }
}
