package dev.vertlet.model.wire;

import static dev.vertlet.model.wire.Fixtures.JSON;
import static dev.vertlet.model.wire.Fixtures.PROTOBUF;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.DecodeException;
import dev.vertlet.model.ListPage;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.WatchEvent.Bookmark;
import dev.vertlet.model.WatchEvent.Deleted;
import dev.vertlet.model.WatchEvent.Failure;
import dev.vertlet.model.WatchEvent.Upsert;
import dev.vertlet.model.container.ContainerCare;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.model.container.ResizePolicyView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.NetworkView;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.resource.Allocation;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodDecoderTest {
  private final PodDecoder decoder = new PodDecoder();

  @Test
  void asksForProtobufFirstUnlessJsonAloneWasChosen() {
    assertThat(decoder.acceptList(true))
        .isEqualTo("application/vnd.kubernetes.protobuf,application/json");
    assertThat(decoder.acceptWatch(true))
        .isEqualTo(
            "application/vnd.kubernetes.protobuf;stream=watch,application/json;stream=watch");
    assertThat(decoder.acceptList(false)).isEqualTo("application/json");
    assertThat(decoder.acceptWatch(false)).isEqualTo("application/json;stream=watch");
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void decodesEveryFieldOfMetadataAndSpec(String contentType) {
    PodView pod = Fixtures.fullPod(contentType);

    assertThat(pod.ref())
        .isEqualTo(new PodRef("model-lab", "full", "8111cac8-7f10-414e-9035-7db66171afb8"));
    assertThat(pod.resourceVersion()).isEqualTo(340);
    assertThat(pod.generation()).isEqualTo(3);
    assertThat(pod.nodeName()).isEqualTo("v1");
    assertThat(pod.labels()).isEqualTo(Map.of("app", "web", "tier", "back-end"));
    assertThat(pod.annotations())
        .isEqualTo(
            Map.of(
                "vertlet.dev/note",
                "line one\nline \"two\" \u00e9\u4e2d\uD83D\uDE00",
                "empty",
                ""));
    assertThat(pod.controllerKind()).isEqualTo("ReplicaSet");
    assertThat(pod.creationTimestamp()).isEqualTo("2026-11-21T12:40:20Z");
    assertThat(pod.deletionTimestamp()).isEqualTo("2026-11-21T12:40:27Z");
    assertThat(pod.deletionGracePeriodSeconds()).isEqualTo(7);
    assertThat(pod.deleting()).isTrue();
    assertThat(pod.spec())
        .isEqualTo(
            new PodSpecView(
                pod.spec().hash(),
                RestartPolicy.ON_FAILURE,
                7,
                600L,
                true,
                1200,
                List.of("example.com/gate", "example.com/other"),
                List.of(
                    new ContainerView("init", "busybox:1", "IfNotPresent", null),
                    new ContainerView(
                        "side", "registry.example/side:2", "Always", RestartPolicy.ALWAYS)),
                List.of(
                    new ContainerView(
                        "main",
                        "registry.example/main:3",
                        "IfNotPresent",
                        null,
                        new EnvironmentView(
                            List.of(
                                new EnvironmentView.Variable("A", "b", EnvironmentView.LITERAL)),
                            List.of()),
                        new ResourcesView(Map.of("cpu", "100m"), Map.of()),
                        new ContainerCare(
                            null,
                            new ProbeView(
                                new HandlerView.HttpGet("HTTP", "", "80", "/", List.of()),
                                0,
                                1,
                                10,
                                1,
                                3,
                                null),
                            null,
                            null,
                            null)),
                    new ContainerView("second", "busybox:1", "IfNotPresent", null)),
                List.of(new ContainerView("debug", "busybox:1", "IfNotPresent", null)),
                "default",
                true,
                new PlacementView(
                    new PodRequests(100, 0, 0, Map.of()),
                    List.of(new PlacementView.HostPort("", "TCP", 80)),
                    Map.of(),
                    List.of(),
                    List.of(
                        new PlacementView.Toleration(
                            "node.kubernetes.io/not-ready", "Exists", "", "NoExecute"),
                        new PlacementView.Toleration(
                            "node.kubernetes.io/unreachable", "Exists", "", "NoExecute")),
                    ""),
                NetworkView.DEFAULT));
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void decodesEveryFieldOfStatus(String contentType) {
    PodStatusView status = Fixtures.fullPod(contentType).status();

    assertThat(status)
        .isEqualTo(
            new PodStatusView(
                PodPhase.RUNNING,
                "R",
                "all \"quoted\" \\ and\ttabs",
                "10.0.0.1",
                List.of("fd00::1"),
                List.of("10.1.0.1", "fd01::1"),
                at(6),
                1L,
                List.of(
                    new ConditionView(
                        "Ready",
                        "False",
                        "ContainersNotReady",
                        "containers with unready status: [second]",
                        at(7),
                        1L),
                    new ConditionView("Initialized", "True", null, null, at(8), null),
                    new ConditionView("example.com/gate", "True", null, null, null, null)),
                List.of(
                    new ContainerStatusView(
                        "init",
                        "busybox:1",
                        "vertlet://sha256:1",
                        "vertlet://i",
                        1,
                        true,
                        false,
                        new Terminated(0, 0, "Completed", null, at(6), at(7), "vertlet://i"),
                        null),
                    new ContainerStatusView(
                        "side",
                        "registry.example/side:2",
                        "",
                        null,
                        0,
                        false,
                        true,
                        new Running(at(9)),
                        null)),
                List.of(
                    new ContainerStatusView(
                        "main",
                        "registry.example/main:3",
                        "vertlet://sha256:2",
                        "vertlet://m",
                        3,
                        true,
                        true,
                        new Running(at(10)),
                        new Terminated(
                            137, 9, "OOMKilled", "killed", at(6), at(9), "vertlet://old")),
                    new ContainerStatusView(
                        "second",
                        "busybox:1",
                        "",
                        null,
                        0,
                        false,
                        null,
                        new Waiting("CrashLoopBackOff", "back-off"),
                        null)),
                List.of(
                    new ContainerStatusView(
                        "debug",
                        "busybox:1",
                        "",
                        null,
                        0,
                        false,
                        null,
                        new Waiting(null, null),
                        null))));
  }

  @Test
  void seesTheSameInBothEncodings() {
    List<WatchEvent<PodView>> json = Fixtures.events(JSON);
    List<WatchEvent<PodView>> protobuf = Fixtures.events(PROTOBUF);

    assertThat(json).hasSize(9);
    assertThat(protobuf)
        .usingRecursiveComparison()
        .ignoringFieldsMatchingRegexes(".*spec.hash")
        .isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void tellsTheEventsOfAWatchApart(String contentType) {
    List<WatchEvent<PodView>> events = Fixtures.events(contentType);

    assertThat(events.get(0)).isInstanceOf(Upsert.class);
    assertThat(events.get(2)).isEqualTo(new Bookmark<PodView>(338, true));
    assertThat(events.get(3)).isInstanceOf(Upsert.class);
    PodView last = upsert(events.get(4));
    assertThat(events.get(5))
        .isInstanceOfSatisfying(
            Deleted.class,
            deleted -> {
              assertThat(deleted.object())
                  .usingRecursiveComparison()
                  .ignoringFields("resourceVersion")
                  .isEqualTo(new WatchEvent.Identity(last.namespace(), last.name(), last.uid(), 0));
              assertThat(deleted.object().resourceVersion()).isGreaterThan(last.resourceVersion());
            });
    assertThat(events.get(7)).isEqualTo(new Bookmark<PodView>(346, false));
    assertThat(events.get(8))
        .isEqualTo(
            new Failure<PodView>(410, "Expired", "too old resource version: 376 (416)", null));
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void hashesTheSpecAloneAndKeepsItThroughStatus(String contentType) {
    List<WatchEvent<PodView>> events = Fixtures.events(contentType);

    long bound = specHash(events.get(0));
    long debugged = specHash(events.get(3));
    long reported = specHash(events.get(4));

    assertThat(debugged).isNotEqualTo(bound);
    assertThat(reported).isEqualTo(debugged);
    assertThat(Fixtures.fullPod(contentType).spec().hash()).isEqualTo(debugged);
  }

  @ParameterizedTest
  @CsvSource({"page.json," + JSON, "page.pb," + PROTOBUF})
  void decodesAPageWithItsContinueToken(String file, String contentType) {
    ListPage<PodView> page = decoder.decodeList(contentType, Fixtures.buffer(file));

    assertThat(page.items()).extracting(PodView::name).containsExactly("full");
    assertThat(page.resourceVersion()).isEqualTo(340);
    assertThat(page.continueToken()).startsWith("eyJ2Ijoi");
  }

  @ParameterizedTest
  @CsvSource({"empty.json," + JSON, "empty.pb," + PROTOBUF})
  void decodesAnEmptyList(String file, String contentType) {
    assertThat(decoder.decodeList(contentType, Fixtures.buffer(file)))
        .isEqualTo(new ListPage<PodView>(List.of(), 340, null));
  }

  @Test
  void sharesWhatPodsHaveInCommon() {
    PodView one = decoder.decodeList(JSON, Fixtures.buffer("list.json")).items().get(0);

    PodView two = decoder.decodeList(PROTOBUF, Fixtures.buffer("list.pb")).items().get(0);

    assertThat(two.nodeName()).isSameAs(one.nodeName());
    assertThat(two.labels()).isSameAs(one.labels());
    assertThat(two.spec().containers()).isSameAs(one.spec().containers());
    assertThat(two.status().conditions().get(0)).isSameAs(one.status().conditions().get(0));
  }

  @Test
  void refusesAnEmptyBody() {
    assertThatThrownBy(() -> decoder.decodeList(JSON, Buffer.buffer()))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("ends early");
    assertThatThrownBy(() -> decoder.decodeList(PROTOBUF, Buffer.buffer()))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("magic");
  }

  @Test
  void refusesAListOfSomethingElse() {
    Buffer nodes = Buffer.buffer("{\"kind\":\"NodeList\",\"items\":[]}");
    assertThatThrownBy(() -> decoder.decodeList(JSON, nodes))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("not a PodList");
  }

  @Test
  void refusesAForeignContentTypeAndReadsItsParameters() {
    assertThatThrownBy(() -> decoder.decodeList("text/html; charset=utf-8", Buffer.buffer()))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("got \"text/html\"");
    Buffer body = Fixtures.buffer("empty.json");
    assertThat(decoder.decodeList("Application/JSON ; charset=utf-8", body).items()).isEmpty();
  }

  @Test
  void decodesWhatAResizeGoesBy() {
    String pod =
        """
        {"kind":"Pod","metadata":{"name":"p","namespace":"ns","uid":"u","resourceVersion":"7"},
         "spec":{"containers":[
           {"name":"a","resources":{"requests":{"cpu":"500m"},"limits":{"cpu":"1"}},
            "resizePolicy":[{"resourceName":"cpu","restartPolicy":"NotRequired"},
                            {"resourceName":"memory","restartPolicy":"RestartContainer"}]},
           {"name":"b"}]},
         "status":{"containerStatuses":[
           {"name":"a","allocatedResources":{"cpu":"250m"},
            "resources":{"requests":{"cpu":"250m"},"limits":{"cpu":"1"}}},
           {"name":"b","resources":{}},
           {"name":"c"}]}}
        """;

    PodView view = decoder.decode(Buffer.buffer(pod));

    assertThat(view.spec().containers())
        .extracting(ContainerView::resizePolicy)
        .containsExactly(ResizePolicyView.MEMORY_RESTARTS, ResizePolicyView.NONE_RESTARTS);
    List<ContainerStatusView> shown = view.status().containerStatuses();
    assertThat(shown.get(0).allocatedResources()).isEqualTo(Map.of("cpu", "250m"));
    assertThat(shown.get(0).resources())
        .isEqualTo(new ResourcesView(Map.of("cpu", "250m"), Map.of("cpu", "1")));
    assertThat(shown.get(1).resources()).isEqualTo(ResourcesView.NONE);
    assertThat(shown.get(2).resources()).isNull();
    PodView granted = Allocation.shown(view);
    assertThat(granted.spec().containers().get(0).resources().requests())
        .isEqualTo(Map.of("cpu", "250m"));
    assertThat(view.spec().placement().requests().milliCpu()).isEqualTo(500);
    assertThat(granted.spec().placement().requests().milliCpu()).isEqualTo(250);
    assertThat(Allocation.shown(granted)).isSameAs(granted);
  }

  private static PodView upsert(WatchEvent<PodView> event) {
    return ((Upsert<PodView>) event).object();
  }

  private static long specHash(WatchEvent<PodView> event) {
    return upsert(event).spec().hash();
  }

  private static Instant at(int second) {
    return Instant.parse("2026-02-03T04:05:00Z").plusSeconds(second);
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void passesOverPodsOfOtherNodes(String contentType) {
    List<String> asked = new ArrayList<>();
    PodDecoder none =
        new PodDecoder(
            node -> {
              asked.add(node);
              return false;
            });
    PodDecoder all = new PodDecoder(node -> true);
    List<WatchEvent<PodView>> events = Fixtures.events(contentType);
    int at = 0;
    for (Buffer frame : Fixtures.frames(contentType)) {
      WatchEvent<PodView> whole = events.get(at++);
      assertThat(all.decodeEvent(contentType, frame)).isEqualTo(whole);
      WatchEvent<PodView> rest = none.decodeEvent(contentType, frame);
      if (whole instanceof WatchEvent.Upsert<PodView> upsert) {
        assertThat(rest)
            .isEqualTo(new WatchEvent.Bookmark<>(upsert.object().resourceVersion(), false));
        assertThat(asked).last().isEqualTo(upsert.object().nodeName());
      } else {
        assertThat(rest).isEqualTo(whole);
      }
    }
    assertThat(asked).isNotEmpty();
    Buffer list = Fixtures.buffer(contentType.equals(JSON) ? "list.json" : "list.pb");
    assertThat(none.decodeList(contentType, list).items()).isEmpty();
    assertThat(all.decodeList(contentType, list).items()).hasSize(2);
  }
}
