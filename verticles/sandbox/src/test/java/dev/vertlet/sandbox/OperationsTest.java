package dev.vertlet.sandbox;

import static dev.vertlet.sandbox.Pods.NAMES;
import static dev.vertlet.sandbox.Pods.annotate;
import static dev.vertlet.sandbox.Pods.digest;
import static dev.vertlet.sandbox.Pods.label;
import static dev.vertlet.sandbox.Pods.pod;
import static dev.vertlet.sandbox.Pods.state;
import static dev.vertlet.sandbox.Pods.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.loop.Env;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.sandbox.SandboxException.Reason;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperationsTest {
  private static final String V2 = "sandbox:v2";

  private final FakeLoop loop = new FakeLoop();
  private final MemoryPods pods = new MemoryPods();
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private final FakeResolver resolver = new FakeResolver().knows(V2, digest('2'));
  private final SandboxOperations operations =
      new SandboxOperations(pods, NAMES, loop, new Env(loop, () -> 0, new Random(1), metrics));

  private static ObjectNode idle() {
    return pod("p", "idle", "pause:3.10", '1', "c1");
  }

  private static UpdateOptions images(String image) {
    return UpdateOptions.NONE.withImages(Map.of("sandbox", image));
  }

  private static UpdateOptions start(String image) {
    return images(image).phases("starting", "running");
  }

  private JsonNode trigger(ObjectNode pod, UpdateOptions options) {
    return done(operations.trigger(pod, options));
  }

  private <T> T done(Future<T> future) {
    loop.advance(Duration.ofSeconds(1));
    assertThat(future.succeeded()).as(() -> String.valueOf(future.cause())).isTrue();
    return future.result();
  }

  private Throwable refused(Future<?> future) {
    loop.advance(Duration.ofSeconds(1));
    assertThat(future.failed()).as("fails").isTrue();
    return future.cause();
  }

  private double counted(String result) {
    return metrics.counter("vertlet_sandbox_inplace_update_total", "result", result).count();
  }

  private boolean completed(JsonNode pod) {
    return done(operations.isCompleted(pod, resolver));
  }

  /** What a kubelet reports once the container runs another image. */
  private static ObjectNode runs(JsonNode pod, char digest, String containerId) {
    ObjectNode copy = pod.deepCopy();
    Pods.status(copy, "sandbox")
        .put("imageID", "repo@" + digest(digest))
        .put("containerID", containerId);
    return copy;
  }

  private ObjectNode starting() {
    pods.store(idle());
    return (ObjectNode) trigger(idle(), start(V2).phases("", "running"));
  }

  private ObjectNode running() {
    ObjectNode done = runs(starting(), '2', "c2");
    pods.store(done);
    return (ObjectNode) done(operations.markCompleted(done, resolver)).orElseThrow();
  }

  // ---- trigger

  @Test
  @Tag("B01")
  void b01AnImageIsSwappedInOneWrite() {
    pods.store(idle());

    JsonNode written = trigger(idle(), images(V2).phases("", "running"));

    assertThat(PodTree.image(written, "sandbox")).isEqualTo(V2);
    assertThat(operations.phase(written)).isEqualTo("starting");
    assertThat(PodTree.annotation(written, NAMES.state()))
        .isEqualTo(
            "{\"phase\":\"starting\",\"targetImage\":\"sandbox:v2\","
                + "\"targetImages\":{\"sandbox\":\"sandbox:v2\"},\"targetPodPhase\":\"running\","
                + "\"updateTimestamp\":\"2026-01-01T00:00:00Z\",\"lastContainerStatuses\":"
                + "{\"sandbox\":{\"imageID\":\"repo@"
                + digest('1')
                + "\",\"containerID\":\"c1\"}}}");
    assertThat(pods.writes()).isEqualTo(1);
    assertThat(counted("success")).isEqualTo(1);
  }

  @Test
  void whoKnowsTheNewestPodNeedsOneRequest() {
    pods.store(idle());

    JsonNode written =
        done(operations.trusting().trigger(idle(), images(V2).phases("", "running")));
    ObjectNode runs = runs(written, '2', "c2");
    pods.store(runs);
    JsonNode running = done(operations.trusting().markCompleted(runs, resolver)).orElseThrow();

    assertThat(PodTree.image(written, "sandbox")).isEqualTo(V2);
    assertThat(operations.phase(written)).isEqualTo("starting");
    assertThat(operations.phase(running)).isEqualTo("running");
    assertThat(PodTree.annotation(running, NAMES.startedAt())).isNotEmpty();
    assertThat(pods.requests).containsExactly("patch", "patch");
  }

  @Test
  void whatIsNotTheNewestIsReadAndJudgedAnew() {
    ObjectNode newer = idle();
    ((ObjectNode) newer.path("metadata")).put("resourceVersion", "7");
    pods.store(newer);

    JsonNode written = done(operations.trusting().trigger(idle(), start(V2)));

    assertThat(operations.phase(written)).isEqualTo("starting");
    assertThat(pods.requests).containsExactly("patch", "get", "update");
  }

  @Test
  void aPodThatIsRefusedByWhatIsKnownIsReadFirst() {
    pods.store(idle());
    ObjectNode known = pod("p", "stopping", "pause:3.10", '1', "c1");

    JsonNode written = done(operations.trusting().trigger(known, start(V2).expecting("idle")));

    assertThat(operations.phase(written)).isEqualTo("starting");
    assertThat(pods.requests).containsExactly("get", "update");
  }

  @Test
  void aPatchSaysWhatGoesAndWhatComesAndNothingElse() throws Exception {
    ObjectNode before = idle();
    ((ObjectNode) before.at("/metadata/labels")).put("gone", "1").put("stays", "2");
    ObjectNode after = before.deepCopy();
    ((ObjectNode) after.at("/metadata/labels")).put("new", "3").remove("gone");
    ((ObjectNode) after.at("/spec/containers/0")).put("image", V2);

    assertThat(VersionedPatch.of(before, after))
        .contains(
            (ObjectNode)
                Pods.JSON.readTree(
                    "{\"metadata\":{\"resourceVersion\":\"1\",\"labels\":{\"gone\":null,\"new\":\"3\"}},"
                        + "\"spec\":{\"containers\":[{\"name\":\"sandbox\",\"image\":\"sandbox:v2\"}]}}"));
    ((ObjectNode) after.path("metadata")).putArray("finalizers").add("a/b");
    assertThat(VersionedPatch.of(before, after)).isEmpty();
  }

  @Test
  @Tag("B02")
  void b02TwoContainersHaveNoSingleTarget() {
    ObjectNode two = with(idle(), "side", "pause:3.10", '1', "s1");
    pods.store(two);

    JsonNode state =
        state(trigger(two, UpdateOptions.NONE.withImages(Map.of("sandbox", V2, "side", "b:1"))));

    assertThat(state.path("targetImages")).hasSize(2);
    assertThat(state.has("targetImage")).isFalse();
    assertThat(state.path("lastContainerStatuses")).hasSize(2);
  }

  @Test
  @Tag("B02")
  void b02AContainerThatHasItsImageIsNoTarget() {
    ObjectNode two = with(idle(), "side", "b:1", '1', "s1");
    pods.store(two);

    JsonNode state =
        state(trigger(two, UpdateOptions.NONE.withImages(Map.of("sandbox", V2, "side", "b:1"))));

    assertThat(state.path("targetImages")).hasSize(1);
  }

  @Test
  @Tag("B03")
  void b03LabelsAloneMoveThePodWithoutAState() {
    pods.store(idle());

    JsonNode written =
        trigger(
            idle(),
            UpdateOptions.NONE.withMetadata(Map.of("team", "a"), Map.of()).phases("", "running"));

    assertThat(operations.phase(written)).isEqualTo("running");
    assertThat(PodTree.label(written, "team")).isEqualTo("a");
    assertThat(PodTree.hasAnnotation(written, NAMES.state())).isFalse();
  }

  @Test
  @Tag("B04")
  void b04WhatIsToGoGoes() {
    ObjectNode pod = pod("p", "running", V2, '2', "c2");
    annotate(label(pod, NAMES.id(), "s-1"), "custom", "x");
    pods.store(pod);

    JsonNode written =
        trigger(
            pod,
            UpdateOptions.NONE.without(List.of(NAMES.id()), List.of("custom")).phases("", "idle"));

    assertThat(operations.phase(written)).isEqualTo("idle");
    assertThat(PodTree.label(written, NAMES.id())).isEmpty();
    assertThat(PodTree.hasAnnotation(written, "custom")).isFalse();
    assertThat(PodTree.hasAnnotation(written, NAMES.state())).isFalse();
  }

  static Stream<Arguments> refusals() {
    UpdateOptions init = UpdateOptions.NONE.withImages(Map.of("init", "i:2"));
    return Stream.of(
        refusal(
            "b05 without containers",
            pod -> Pods.spec(pod).putArray("containers"),
            images(V2),
            "pod has no containers"),
        refusal(
            "b06 an init container",
            pod -> Pods.spec(pod).putArray("initContainers").addObject().put("name", "init"),
            init,
            "container not found in pod: init"),
        refusal(
            "b07 no image",
            pod -> {},
            images(""),
            "container \"sandbox\": target image is required"),
        refusal(
            "b07 a blank image",
            pod -> {},
            images(" "),
            "container \"sandbox\": target image is required"),
        refusal(
            "b15 the same image in a pod that does not run",
            pod -> Pods.status(pod).put("phase", "Pending"),
            start("pause:3.10"),
            "pod is in Pending phase, expected Running"));
  }

  private static Arguments refusal(
      String what, Consumer<ObjectNode> change, UpdateOptions options, String message) {
    return Arguments.of(what, change, options, message);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  @Tag("B05")
  @Tag("B06")
  @Tag("B07")
  @Tag("B15")
  void whatCannotBeTriggeredIsNotWritten(
      String what, Consumer<ObjectNode> change, UpdateOptions options, String message) {
    ObjectNode pod = idle();
    change.accept(pod);
    pods.store(pod);

    assertThat(refused(operations.trigger(pod, options))).hasMessage(message);

    assertThat(pods.writes()).isZero();
    assertThat(pods.reads()).isEqualTo(message.endsWith("required") ? 0 : 1);
    assertThat(counted("error")).isEqualTo(1);
  }

  @Test
  @Tag("B08")
  void b08AnotherPhaseThanExpectedIsNotRetried() {
    ObjectNode pod = pod("p", "running", V2, '2', "c2");
    pods.store(pod);

    Throwable why = refused(operations.trigger(pod, start("x:1").expecting("idle")));

    assertThat(SandboxException.is(why, Reason.UNEXPECTED_PHASE)).isTrue();
    assertThat(why).hasMessageStartingWith("pod phase does not match expected value");
    assertThat(pods.requests).containsExactly("get");
    assertThat(counted("conflict")).isEqualTo(1);
  }

  @Test
  @Tag("B08")
  void b08APodThatIsBeingDeletedIsNotStarted() {
    ObjectNode pod = idle();
    ((ObjectNode) pod.path("metadata")).put("deletionTimestamp", "2026-01-01T00:00:00Z");
    pods.store(pod);

    assertThat(
            SandboxException.is(
                refused(operations.trigger(pod, start(V2))), Reason.UNEXPECTED_PHASE))
        .isTrue();
    assertThat(pods.writes()).isZero();
  }

  @Test
  @Tag("B09")
  void b09TwoConflictsAreOvercome() {
    pods.store(idle());
    pods.conflicts(2);
    Future<JsonNode> triggered = operations.trigger(idle(), start(V2));

    loop.advance(Duration.ofMillis(9));
    assertThat(pods.writes()).isEqualTo(1);
    loop.advance(Duration.ofMillis(2));
    assertThat(pods.writes()).isEqualTo(2);
    loop.advance(Duration.ofMillis(11));

    assertThat(triggered.succeeded()).isTrue();
    assertThat(pods.writes()).isEqualTo(3);
    assertThat(pods.reads()).as("each try reads anew").isEqualTo(3);
    assertThat(counted("success")).isEqualTo(1);
  }

  @Test
  @Tag("B09")
  void b09APodThatWasTakenMeanwhileIsLeftAlone() {
    pods.store(idle());
    pods.conflicts(1);
    Future<JsonNode> triggered = operations.trigger(idle(), start(V2).expecting("idle"));

    pods.store(pod("p", "running", V2, '2', "c2"));

    assertThat(SandboxException.is(refused(triggered), Reason.UNEXPECTED_PHASE)).isTrue();
    assertThat(pods.writes()).isEqualTo(1);
  }

  @Test
  @Tag("B10")
  void b10FiveConflictsAreEnough() {
    pods.store(idle());
    pods.conflicts(99);

    Throwable why = refused(operations.trigger(idle(), start(V2)));

    assertThat(KubeException.is(why, Kind.CONFLICT)).isTrue();
    assertThat(pods.writes()).isEqualTo(5);
    assertThat(counted("conflict")).isEqualTo(1);
  }

  @Test
  @Tag("B11")
  void b11WhoWantsNoRetryHasTheConflictAtOnce() {
    pods.store(idle());
    pods.conflicts(1);

    Throwable why = refused(operations.trigger(idle(), start(V2).once()));

    assertThat(KubeException.is(why, Kind.CONFLICT)).isTrue();
    assertThat(pods.requests).containsExactly("get", "update");
  }

  @Test
  @Tag("B12")
  void b12APodThatIsGoneOrAnotherOneIsNotFound() {
    assertThat(KubeException.is(refused(operations.trigger(idle(), start(V2))), Kind.NOT_FOUND))
        .isTrue();

    ObjectNode other = idle();
    ((ObjectNode) other.path("metadata")).put("uid", "another");
    pods.store(other);
    Throwable why = refused(operations.trigger(idle(), start(V2)));

    assertThat(KubeException.is(why, Kind.NOT_FOUND)).isTrue();
    assertThat(why).hasMessageContaining("uid-p");
    assertThat(pods.writes()).isZero();
  }

  @Test
  @Tag("B13")
  void b13TheSameImageIsThereAtOnce() {
    pods.store(idle());

    JsonNode written = trigger(idle(), start("pause:3.10"));

    assertThat(operations.phase(written)).isEqualTo("running");
    assertThat(state(written))
        .isEqualTo(
            Pods.read(
                "{\"phase\":\"completed\",\"targetPodPhase\":\"running\","
                    + "\"updateTimestamp\":\"2026-01-01T00:00:00Z\",\"stableContainerStatuses\":"
                    + "{\"sandbox\":{\"containerID\":\"c1\",\"restartCount\":0}}}"));
    assertThat(PodTree.annotation(written, NAMES.startedAt())).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(PodTree.annotation(written, NAMES.lastActive())).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(written.path("spec")).isEqualTo(idle().path("spec"));
    assertThat(written.path("status")).isEqualTo(idle().path("status"));
  }

  @ParameterizedTest
  @CsvSource({
    "docker.io/library/ubuntu:22.04, ubuntu:22.04",
    "docker.io/nginx:latest, nginx:latest",
    "nginx, docker.io/library/nginx:latest",
    "index.docker.io/library/nginx, nginx"
  })
  @Tag("B14")
  void b14ShorthandIsTheSameImage(String there, String wanted) {
    ObjectNode pod = pod("p", "idle", there, '1', "c1");
    pods.store(pod);

    JsonNode written = trigger(pod, start(wanted));

    assertThat(operations.phase(written)).isEqualTo("running");
    assertThat(PodTree.image(written, "sandbox")).isEqualTo(there);
  }

  @Test
  @Tag("B16")
  void b16ThereIsNoShortCutToStopping() {
    ObjectNode pod = pod("p", "running", "pause:3.10", '1', "c1");
    pods.store(label(pod, NAMES.id(), "s-1"));

    JsonNode written = trigger(pod, images("pause:3.10").phases("stopping", "idle"));

    assertThat(operations.phase(written)).isEqualTo("idle");
    assertThat(PodTree.hasAnnotation(written, NAMES.state())).isFalse();
    assertThat(PodTree.label(written, NAMES.id())).as("the claim is over").isEmpty();
  }

  @Test
  @Tag("B17")
  void b17NothingToChangeIsNotWritten() {
    ObjectNode pod = pod("p", "running", V2, '2', "c2");
    pods.store(label(pod, "team", "a"));

    JsonNode live =
        trigger(
            pod,
            UpdateOptions.NONE
                .withImages(Map.of("sandbox", V2))
                .withMetadata(Map.of("team", "a"), Map.of())
                .without(List.of("absent"), List.of("absent")));

    assertThat(live).isEqualTo(pod);
    assertThat(pods.writes()).isZero();
  }

  @Test
  @Tag("B18")
  void b18WhatIsUnderWayIsNotReplaced() {
    ObjectNode pod = starting();

    Throwable why = refused(operations.trigger(pod, start("x:1")));
    JsonNode back = trigger(pod, images("pause:3.10").phases("stopping", "idle"));

    assertThat(SandboxException.is(why, Reason.UNEXPECTED_PHASE)).isTrue();
    assertThat(operations.phase(back)).as("but taken back").isEqualTo("stopping");
  }

  @Test
  void aStateThatIsUnreadableIsMendedByTheNextUpdate() {
    ObjectNode pod = annotate(idle(), NAMES.state(), "{broken");
    pods.store(pod);

    JsonNode written = trigger(pod, start(V2));

    assertThat(state(written).path("phase").asText()).isEqualTo("starting");
  }

  @Test
  void optionsAreRefusedBeforeThePodIsRead() {
    Map<String, String> none = Map.of();
    for (UpdateOptions bad :
        List.of(
            images("Upper:1"),
            images("a b"),
            images(V2).phases("running", ""),
            UpdateOptions.NONE
                .withMetadata(Map.of("a", "1"), none)
                .without(List.of("a"), List.of()),
            UpdateOptions.NONE
                .withMetadata(none, Map.of("a", "1"))
                .without(List.of(), List.of("a")),
            UpdateOptions.NONE.withMetadata(Map.of(NAMES.phase(), "idle"), none),
            UpdateOptions.NONE.withMetadata(none, Map.of(NAMES.state(), "{}")),
            UpdateOptions.NONE.without(List.of(NAMES.phase()), List.of()),
            UpdateOptions.NONE.withMetadata(Map.of("a", "not a value"), none),
            UpdateOptions.NONE.withMetadata(Map.of("not a key", "a"), none))) {
      Throwable why = refused(operations.trigger(idle(), bad));
      assertThat(SandboxException.is(why, Reason.INVALID_OPTION)).as("%s: %s", bad, why).isTrue();
    }
    assertThat(pods.requests).isEmpty();
  }

  // ---- completion

  @Test
  void withoutAResolverNothingIsComplete() {
    assertThat(done(operations.isCompleted(idle(), null))).isFalse();
    assertThat(completed(idle())).as("no state: nothing is under way").isTrue();
  }

  @Test
  void anUnreadableStateIsAFailure() {
    ObjectNode pod = annotate(idle(), NAMES.state(), "[]");

    Throwable why = refused(operations.isCompleted(pod, resolver));

    assertThat(SandboxException.is(why, Reason.UNREADABLE_STATE)).isTrue();
    assertThat(why).hasMessageContaining(NAMES.state());
  }

  @Test
  @Tag("B19")
  void b19AnImageThatWasRevertedByHandIsNotComplete() {
    ObjectNode pod = runs(starting(), '2', "c2");
    ((ObjectNode) PodTree.container(pod, "sandbox")).put("image", "pause:3.10");

    assertThat(completed(pod)).isFalse();
  }

  @Test
  @Tag("B20")
  void b20WithoutAStatusNothingIsComplete() {
    ObjectNode pod = starting();
    Pods.status(pod).putArray("containerStatuses");

    assertThat(completed(pod)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "repo", "repo@md5:aa", "sha256:zz"})
  @Tag("B20")
  void b20AnImageIdWithoutADigestTellsNothing(String imageId) {
    ObjectNode pod = starting();
    Pods.status(pod, "sandbox").put("imageID", imageId);

    assertThat(completed(pod)).isFalse();
  }

  /** A digit is a digest: of the target in the registry, and of what runs. */
  @ParameterizedTest(name = "{0}: {4}")
  @CsvSource({
    "b21 the digest of the target, 2, 2, c2, true",
    "b23 the old digest, 2, 1, c1, false",
    "b24 the same content under another digest, 4, 3, c2, true",
    "b24 the same content in the old container, 4, 3, c1, false",
    "b26 the same digest in the same container, 1, 1, c1, false",
    "b27 the same digest in a new container, 1, 1, c2, true",
    "b27 the same digest in a container that is being replaced, 1, 1, '', false"
  })
  @Tag("B21")
  @Tag("B23")
  @Tag("B24")
  @Tag("B26")
  @Tag("B27")
  void isCompleteWhenTheTargetRuns(
      String what, char target, char runs, String containerId, boolean complete) {
    resolver.knows(V2, digest(target));
    resolver.config("repo@" + digest('3'), "sha256:c").config(V2, target == '4' ? "sha256:c" : "x");

    assertThat(completed(runs(starting(), runs, containerId))).isEqualTo(complete);
  }

  @Test
  @Tag("B22")
  void b22TheNameInTheStatusDoesNotCount() {
    ObjectNode pod = starting();
    Pods.status(pod, "sandbox")
        .put("image", "mirror.example/x")
        .put("imageID", "mirror.example/x@" + digest('2'));

    assertThat(completed(pod)).isTrue();
  }

  @Test
  @Tag("B25")
  void b25WhatTheRegistryDoesNotTellIsNotYet() {
    pods.store(idle());
    JsonNode pod = trigger(idle(), start("unknown:1"));

    assertThat(completed(runs(pod, '2', "c2"))).isFalse();
  }

  @Test
  @Tag("B25")
  void b25AResolverThatFailsFailsNobody() {
    JsonNode pod = starting();
    resolver.breaks();

    assertThat(completed(runs(pod, '2', "c2"))).isFalse();
    assertThat(done(operations.markCompleted(pod, resolver))).contains(pod);
  }

  @Test
  @Tag("B25")
  void b25ADigestInTheReferenceNeedsNoRegistry() {
    pods.store(idle());
    JsonNode pod = trigger(idle(), start("unknown@" + digest('2')));

    assertThat(completed(runs(pod, '2', "c2"))).isTrue();
  }

  @Test
  @Tag("B28")
  void b28TheSameDigestIsCompleteWhereNoContainerWasRecorded() {
    resolver.knows(V2, digest('1'));
    ObjectNode before = pod("p", "idle", "pause:3.10", '1', "");
    pods.store(before);

    assertThat(completed(trigger(before, start(V2)))).isTrue();
  }

  @Test
  @Tag("B29")
  void b29AnotherContainersTroubleDoesNotCount() {
    ObjectNode two = with(idle(), "side", "b:1", '5', "s1");
    pods.store(two);
    ObjectNode pod = runs(trigger(two, start(V2)), '2', "c2");
    Pods.status(pod, "side").put("imageID", "").put("containerID", "").put("restartCount", 9);

    assertThat(completed(pod)).isTrue();
  }

  @Test
  @Tag("B49")
  void b49AStartWhoseImageCannotBePulledComesBackByItsContainer() {
    resolver.knows("pause:3.10", digest('1'));
    pods.store(idle());
    ObjectNode waits = (ObjectNode) trigger(idle(), start("absent:1"));
    Pods.status(waits, "sandbox")
        .putObject("state")
        .putObject("waiting")
        .put("reason", "ImagePullBackOff");
    pods.store(waits);
    assertThat(completed(waits)).isFalse();

    JsonNode back = trigger(waits, images("pause:3.10").phases("stopping", "idle"));

    assertThat(completed(back)).as("the container that was there before the claim").isFalse();
    ObjectNode again = runs(back, '1', "c2");
    pods.store(again);
    assertThat(operations.phase(done(operations.markCompleted(again, resolver)).orElseThrow()))
        .isEqualTo("idle");
  }

  @Test
  @Tag("B31")
  void b31ARunningSandboxIsWrittenDownWithItsOwnContainers() {
    ObjectNode two = with(idle(), "side", "b:1", '5', "s1");
    pods.store(two);
    ObjectNode pod = runs(trigger(two, start(V2)), '2', "c2");
    pods.store(pod);
    loop.advance(Duration.ofSeconds(5));

    JsonNode live = done(operations.markCompleted(pod, resolver)).orElseThrow();

    assertThat(operations.phase(live)).isEqualTo("running");
    JsonNode state = state(live);
    assertThat(state.path("phase").asText()).isEqualTo("completed");
    assertThat(state.path("stableContainerStatuses"))
        .isEqualTo(Pods.read("{\"sandbox\":{\"containerID\":\"c2\",\"restartCount\":0}}"));
    assertThat(state.has("lastContainerStatuses")).isFalse();
    assertThat(Instant.parse(state.path("updateTimestamp").asText()))
        .isEqualTo(PodTree.time(live, NAMES.startedAt()).orElseThrow())
        .isAfter(Instant.parse("2026-01-01T00:00:04Z"));
  }

  @Test
  @Tag("B32")
  void b32AnIdlePodRemembersNobody() {
    ObjectNode pod = running();
    NAMES.lifecycleAnnotations().forEach(key -> annotate(pod, key, "x"));
    label(pod, NAMES.id(), "s-1");
    pods.store(pod);
    resolver.knows("pause:3.10", digest('1'));
    ObjectNode stopping =
        runs(trigger(pod, images("pause:3.10").phases("stopping", "idle")), '1', "c3");
    pods.store(stopping);
    long before = pods.writes();

    JsonNode live = done(operations.markCompleted(stopping, resolver)).orElseThrow();

    assertThat(pods.writes()).isEqualTo(before + 1);
    assertThat(operations.phase(live)).isEqualTo("idle");
    assertThat(PodTree.label(live, NAMES.id())).isEmpty();
    assertThat(NAMES.lifecycleAnnotations()).noneMatch(key -> PodTree.hasAnnotation(live, key));
    assertThat(state(live).has("stableContainerStatuses")).isFalse();
  }

  @Test
  @Tag("B33")
  void b33WhatSomebodyMovedOnIsLeftAlone() {
    ObjectNode mine = runs(starting(), '2', "c2");
    ObjectNode theirs = runs(running(), '2', "c3"); // whose snapshot still has c2
    pods.store(theirs);
    long before = pods.writes();

    JsonNode live = done(operations.markCompleted(mine, resolver)).orElseThrow();

    assertThat(live).isEqualTo(theirs);
    assertThat(pods.writes()).isEqualTo(before);
  }

  @Test
  @Tag("B33")
  void b33ACallerWhoSawAnotherPhaseWritesNothing() {
    ObjectNode stopping = runs(starting(), '2', "c2");
    pods.store(stopping);
    ObjectNode seen = stopping.deepCopy();
    label(seen, NAMES.phase(), "stopping");
    long before = pods.writes();

    assertThat(done(operations.markCompleted(seen, resolver))).contains(stopping);
    assertThat(pods.writes()).isEqualTo(before);
  }

  @Test
  @Tag("B34")
  void b34DoneIsDone() {
    ObjectNode pod = running();
    long before = pods.writes();

    assertThat(done(operations.markCompleted(pod, resolver))).contains(pod);
    assertThat(pods.writes()).isEqualTo(before);
    pods.store(idle());
    assertThat(done(operations.markCompleted(idle(), resolver))).isEqualTo(Optional.empty());
  }

  @Test
  void aConflictOfACompletionIsJudgedAnew() {
    ObjectNode pod = runs(starting(), '2', "c2");
    pods.store(pod);
    pods.conflicts(1);
    Future<Optional<JsonNode>> marked = operations.markCompleted(pod, resolver);
    pods.store(runs(pod, '2', "c3"));

    JsonNode live = done(marked).orElseThrow();

    assertThat(state(live).at("/stableContainerStatuses/sandbox/containerID").asText())
        .isEqualTo("c3");
  }

  // ---- restarts and times

  @Test
  @Tag("B36")
  void b36AnotherContainerIs() {
    ObjectNode pod = runs(running(), '2', "c9");

    assertThat(operations.hasUnexpectedRestart(pod)).isTrue();
    assertThat(operations.restarted(pod)).contains("sandbox");
  }

  /** A restart count is no evidence, and a swap is no restart. */
  @Test
  @Tag("B35")
  @Tag("B37")
  @Tag("B38")
  void withoutEvidenceThereWasNoUnexpectedRestart() {
    ObjectNode counted = running();
    Pods.status(counted, "sandbox").put("restartCount", 1);
    ObjectNode missing = running();
    Pods.status(missing).putArray("containerStatuses");
    ObjectNode sidecar = with(running(), "side", "b:1", '5', "s2");
    ObjectNode unrecorded = runs(running(), '2', "c9");
    annotate(
        unrecorded,
        NAMES.state(),
        PodTree.annotation(unrecorded, NAMES.state()).replace("\"containerID\":\"c2\",", ""));

    ObjectNode replaced = runs(running(), '2', "");
    ObjectNode swapped = runs(starting(), '2', "c2");

    assertThat(List.of(counted, missing, sidecar, unrecorded, replaced, swapped, idle()))
        .noneMatch(operations::hasUnexpectedRestart);
  }

  @Test
  @Tag("B39")
  void b39AStartIsAsOldAsItsWrite() {
    ObjectNode pod = starting();
    Instant now = Instant.parse("2026-01-01T00:02:00Z");

    assertThat(operations.phaseSince(pod, "starting"))
        .contains(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(operations.phaseDuration(pod, "starting", now)).contains(Duration.ofMinutes(2));
    assertThat(operations.phaseDuration(pod, "", now.minusSeconds(999))).contains(Duration.ZERO);
  }

  @Test
  @Tag("B40")
  void b40AFreshPodIsAsOldAsItIs() {
    assertThat(operations.phaseDuration(idle(), "idle", null)).contains(Duration.ofMinutes(10));
    assertThat(operations.phaseDuration(idle(), "idle", Instant.EPOCH))
        .contains(Duration.ofMinutes(10));
  }

  @Test
  @Tag("B40")
  void b40AStateOfAnotherPhaseDoesNotCount() {
    ObjectNode pod = running();
    label(pod, NAMES.phase(), "idle");

    assertThat(operations.phaseSince(pod, "idle")).contains(Instant.parse("2025-12-31T23:50:00Z"));
  }

  @Test
  @Tag("B41")
  void b41AnotherPhaseHasNoAge() {
    assertThat(operations.phaseSince(idle(), "running")).isEmpty();
    assertThat(operations.phaseSince(pod("p", "", "a:1", '1', "c"), "")).isEmpty();
  }

  @Test
  @Tag("B42")
  void b42RunningAndIdleAreAsOldAsTheirCompletion() {
    loop.advance(Duration.ofMinutes(1));
    ObjectNode pod = running();

    assertThat(operations.phaseSince(pod, ""))
        .contains(PodTree.time(pod, NAMES.startedAt()).orElseThrow());
  }

  @Test
  void statesKeepWhatIsNotKnownHere() {
    ObjectNode pod =
        annotate(
            idle(),
            NAMES.state(),
            "{\"phase\":\"completed\",\"targetPodPhase\":\"idle\",\"updateTimestamp\":null,"
                + "\"from\":{\"the\":\"future\"}}");
    pods.store(pod);

    JsonNode written = trigger(pod, start(V2));
    pods.store(runs(written, '2', "c2"));
    JsonNode done = done(operations.markCompleted(written, resolver)).orElseThrow();

    assertThat(state(written).at("/from/the").asText()).isEqualTo("future");
    assertThat(state(done).at("/from/the").asText()).isEqualTo("future");
    assertThat(operations.state(pod).orElseThrow().updateTimestamp()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "1",
        "{}",
        "{\"phase\":1}",
        "{\"phase\":\"starting\",\"targetImages\":[]}",
        "{\"phase\":\"starting\",\"updateTimestamp\":\"yesterday\"}"
      })
  void whatIsNoStateIsTold(String text) {
    ObjectNode pod = annotate(pod("p", "starting", "a:1", '1', "c"), NAMES.state(), text);

    for (Runnable read :
        List.<Runnable>of(
            () -> operations.state(pod),
            () -> operations.phaseSince(pod, ""),
            () -> operations.hasUnexpectedRestart(pod))) {
      assertThat(catchThrowable(read::run))
          .isInstanceOfSatisfying(
              SandboxException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.UNREADABLE_STATE));
    }
  }

  @Test
  void thePrefixIsAMatterOfConfiguration() {
    SandboxNames own = new SandboxNames("sandbox.example.com/");

    assertThat(own.phase()).isEqualTo("sandbox.example.com/sandbox-phase");
    assertThat(catchThrowable(() -> new SandboxNames("x")))
        .hasMessageContaining("must be a DNS name and a slash");
  }
}
