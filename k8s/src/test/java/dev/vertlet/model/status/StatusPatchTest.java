package dev.vertlet.model.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.wire.Fixtures;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatusPatchTest {
  private static final PodRef REF = new PodRef("ns", "p", "u-1");
  private static final Instant T = Instant.parse("2026-02-03T04:05:06.987Z");
  private static final Instant LATER = T.plusSeconds(1);
  private static final ConditionView READY =
      new ConditionView("Ready", "True", null, null, T, null);

  @Test
  void writesAFirstStatusInFull() {
    PodStatusView wanted =
        new PodStatusView(
            PodPhase.RUNNING,
            "R",
            "say \"\\\n\u0001\u00e9\"",
            "10.0.0.1",
            List.of("10.1.0.5", "fd00::5"),
            T,
            2L,
            List.of(
                new ConditionView("Ready", "False", "ContainersNotReady", "m", T, 2L),
                new ConditionView("Initialized", "True", "", null, null, null)),
            List.of(
                new ContainerStatusView(
                    "i",
                    "x",
                    "id",
                    "vertlet://i",
                    1,
                    true,
                    false,
                    new Terminated(1, 9, "Error", "m", T, LATER, "vertlet://i"),
                    new Terminated(0, 0, null, "", null, null, null))),
            List.of(
                new ContainerStatusView(
                    "c", "x", "", "vertlet://c", 0, true, true, new Running(T), null)),
            List.of(
                status("e", new Waiting("ContainerCreating", null)),
                status("f", new Waiting(null, "")),
                status("g", new Running(null)),
                status("h", null)));

    String patch = encode(PodStatusView.EMPTY, wanted);

    assertThat(patch)
        .isEqualTo(
            """
            {"metadata":{"uid":"u-1"},"status":{"observedGeneration":2,"phase":"Running",\
            "message":"say \\"\\\\\\n\\u0001\u00e9\\"","reason":"R",\
            "hostIP":"10.0.0.1","hostIPs":[{"ip":"10.0.0.1"}],\
            "podIP":"10.1.0.5","podIPs":[{"ip":"10.1.0.5"},{"ip":"fd00::5"}],\
            "startTime":"2026-02-03T04:05:06Z","conditions":[\
            {"type":"Ready","observedGeneration":2,"status":"False","lastProbeTime":null,\
            "lastTransitionTime":"2026-02-03T04:05:06Z","reason":"ContainersNotReady","message":"m"},\
            {"type":"Initialized","status":"True","lastProbeTime":null,"lastTransitionTime":null}],\
            "initContainerStatuses":[{"name":"i","state":{"terminated":{"exitCode":1,"signal":9,\
            "reason":"Error","message":"m","startedAt":"2026-02-03T04:05:06Z",\
            "finishedAt":"2026-02-03T04:05:07Z","containerID":"vertlet://i"}},\
            "lastState":{"terminated":{"exitCode":0}},"ready":true,"restartCount":1,"image":"x",\
            "imageID":"id","containerID":"vertlet://i","started":false}],\
            "containerStatuses":[{"name":"c","state":{"running":{"startedAt":"2026-02-03T04:05:06Z"}},\
            "ready":true,"restartCount":0,"image":"x","imageID":"","containerID":"vertlet://c",\
            "started":true}],"ephemeralContainerStatuses":[\
            {"name":"e","state":{"waiting":{"reason":"ContainerCreating"}},"ready":false,\
            "restartCount":0,"image":"x","imageID":""},\
            {"name":"f","state":{"waiting":{}},"ready":false,"restartCount":0,"image":"x","imageID":""},\
            {"name":"g","state":{"running":{}},"ready":false,"restartCount":0,"image":"x","imageID":""},\
            {"name":"h","ready":false,"restartCount":0,"image":"x","imageID":""}]}}\
            """);
  }

  @Test
  void writesOnlyWhatDiffersAndClearsWhatIsGone() {
    PodStatusView known =
        new StatusDraft().reason("Evicted").message("m").conditions(READY).startTime(T).view();
    PodStatusView wanted = new StatusDraft().conditions(READY).view();

    String patch = encode(known, wanted);

    assertThat(patch)
        .isEqualTo(
            "{\"metadata\":{\"uid\":\"u-1\"},\"status\":"
                + "{\"message\":null,\"reason\":null,\"startTime\":null}}");
  }

  @Test
  void replacesAddressesInsteadOfAddingToThem() {
    PodStatusView known = new StatusDraft().hostIP("10.0.0.1").podIPs("10.1.0.1").view();
    PodStatusView moved = new StatusDraft().hostIP("10.0.0.2").podIPs("10.1.0.2").view();
    PodStatusView without = new StatusDraft().hostIP("").view();

    String change = encode(known, moved);
    String removal = encode(known, without);

    assertThat(change)
        .contains(
            "{\"hostIP\":\"10.0.0.2\",\"hostIPs\":[{\"ip\":\"10.0.0.2\"},{\"$patch\":\"replace\"}],"
                + "\"podIP\":\"10.1.0.2\",\"podIPs\":[{\"ip\":\"10.1.0.2\"},{\"$patch\":\"replace\"}]}");
    assertThat(removal)
        .contains(
            "{\"hostIP\":null,\"hostIPs\":[{\"$patch\":\"replace\"}],"
                + "\"podIP\":null,\"podIPs\":[{\"$patch\":\"replace\"}]}");
  }

  @Test
  void writesAllAddressesOfTheHost() {
    PodStatusView one = new StatusDraft().hostIP("10.0.0.1").view();
    PodStatusView two = new StatusDraft().hostIP("10.0.0.1").otherHostIPs("fd00::1").view();

    assertThat(StatusPatch.needed(one, two)).isTrue();
    assertThat(StatusPatch.needed(two, two)).isFalse();
    assertThat(encode(one, two))
        .contains(
            "{\"hostIP\":\"10.0.0.1\",\"hostIPs\":[{\"ip\":\"10.0.0.1\"},{\"ip\":\"fd00::1\"},"
                + "{\"$patch\":\"replace\"}]}");
  }

  @Test
  void writesOnlyConditionsThatDifferAndLeavesThoseOfOthers() {
    ConditionView foreign = new ConditionView("other.example/x", "True", null, null, T, null);
    ConditionView scheduled = new ConditionView("PodScheduled", "True", null, null, T, 1L);
    ConditionView unready = new ConditionView("Ready", "False", "Why", "because", T, 1L);
    PodStatusView known = new StatusDraft().conditions(foreign, unready, scheduled).view();
    PodStatusView wanted = new StatusDraft().conditions(READY, scheduled).view();

    String patch = encode(known, wanted);

    assertThat(patch)
        .contains(
            "\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\","
                + "\"lastProbeTime\":null,\"lastTransitionTime\":\"2026-02-03T04:05:06Z\","
                + "\"reason\":null,\"message\":null}]}");
  }

  @Test
  void writesNothingButTheUidWhenNothingDiffers() {
    PodStatusView status = new StatusDraft().conditions(READY).view();
    assertThat(encode(status, status)).isEqualTo("{\"metadata\":{\"uid\":\"u-1\"},\"status\":{}}");
  }

  @Test
  void emptiesAListOfContainers() {
    PodStatusView known = new StatusDraft().containers(status("c", null)).view();
    assertThat(encode(known, PodStatusView.EMPTY)).contains("\"containerStatuses\":[]");
  }

  @ParameterizedTest
  @ValueSource(strings = {Fixtures.JSON, Fixtures.PROTOBUF})
  void isNotNeededForWhatTheServerHolds(String contentType) {
    PodStatusView held = Fixtures.fullPod(contentType).status();
    assertThat(StatusPatch.needed(held, held)).isFalse();
    assertThat(StatusPatch.needed(held, Fixtures.fullPod(contentType).status())).isFalse();
    assertThat(StatusPatch.needed(PodStatusView.EMPTY, held)).isTrue();
  }

  @Test
  void countsWholeSecondsEmptyTextAndForeignConditionsAsEqual() {
    Instant cut = Instant.ofEpochSecond(T.getEpochSecond());
    ConditionView foreign = new ConditionView("other.example/x", "True", null, null, T, null);
    ConditionView held = new ConditionView("Ready", "True", null, null, cut, 4L);
    ConditionView own = new ConditionView("Ready", "True", "", "", T, null);
    ContainerStatusView heldContainer =
        new ContainerStatusView("c", "x", "", null, 0, true, true, new Running(cut), null);
    ContainerStatusView ownContainer =
        new ContainerStatusView("c", "x", "", "", 0, true, true, new Running(T), null);

    boolean needed =
        StatusPatch.needed(
            new StatusDraft()
                .startTime(cut)
                .generation(4L)
                .conditions(foreign, held)
                .containers(heldContainer)
                .view(),
            new StatusDraft()
                .reason("")
                .startTime(T)
                .conditions(own)
                .containers(ownContainer)
                .view());

    assertThat(needed).isFalse();
  }

  @Test
  void isNeededForEveryFieldThatDiffers() {
    PodStatusView known =
        new StatusDraft().startTime(T).conditions(READY).containers(status("c", null)).view();
    assertThat(
            List.of(
                base().phase(PodPhase.FAILED),
                base().reason("r"),
                base().message("m"),
                base().hostIP("10.0.0.1"),
                base().podIPs("10.1.0.1"),
                base().startTime(LATER),
                base().startTime(null),
                base().generation(1L),
                base().conditions(new ConditionView("Initialized", "True", null, null, T, null)),
                base().conditions(new ConditionView("Ready", "False", null, null, T, null)),
                base().conditions(new ConditionView("Ready", "True", "r", null, T, null)),
                base().conditions(new ConditionView("Ready", "True", null, "m", T, null)),
                base().conditions(new ConditionView("Ready", "True", null, null, LATER, null)),
                base().conditions(new ConditionView("Ready", "True", null, null, T, 1L)),
                base().containers(),
                base().init(status("c", null)),
                base().ephemeral(status("c", null))))
        .allMatch(draft -> StatusPatch.needed(known, draft.view()));
  }

  @Test
  void isNeededForEveryFieldOfAContainerThatDiffers() {
    Terminated end = new Terminated(0, 0, null, null, T, T, null);
    assertDiffer(status("c", null), status("d", null));
    assertDiffer(status("c", null), container("y", "", null, 0, false, null));
    assertDiffer(status("c", null), container("x", "id", null, 0, false, null));
    assertDiffer(status("c", null), container("x", "", "id", 0, false, null));
    assertDiffer(status("c", null), container("x", "", null, 1, false, null));
    assertDiffer(status("c", null), container("x", "", null, 0, true, null));
    assertDiffer(status("c", null), container("x", "", null, 0, false, false));
    assertDiffer(status("c", new Running(T)), status("c", new Running(LATER)));
    assertDiffer(status("c", new Running(T)), status("c", new Waiting(null, null)));
    assertDiffer(status("c", new Waiting("a", null)), status("c", new Waiting("b", null)));
    assertDiffer(status("c", new Waiting("a", "m")), status("c", new Waiting("a", "n")));
    assertDiffer(status("c", new Waiting("a", null)), status("c", end));
    assertDiffer(status("c", end), status("c", null));
    assertDiffer(status("c", null), status("c", end));
    assertDiffer(end, new Terminated(1, 0, null, null, T, T, null));
    assertDiffer(end, new Terminated(0, 1, null, null, T, T, null));
    assertDiffer(end, new Terminated(0, 0, "r", null, T, T, null));
    assertDiffer(end, new Terminated(0, 0, null, "m", T, T, null));
    assertDiffer(end, new Terminated(0, 0, null, null, LATER, T, null));
    assertDiffer(end, new Terminated(0, 0, null, null, T, LATER, null));
    assertDiffer(end, new Terminated(0, 0, null, null, T, T, "id"));
  }

  @Test
  void tellsWhatContainersWereGrantedAndWhatTheyHave() {
    ContainerStatusView sized =
        new ContainerStatusView(
            "c",
            "i",
            "id",
            null,
            0,
            true,
            null,
            null,
            null,
            Map.of("cpu", "2"),
            new ResourcesView(Map.of("cpu", "1"), Map.of()));
    ContainerStatusView plain =
        new ContainerStatusView(
            "d", "i", "id", null, 0, true, null, null, null, Map.of(), ResourcesView.NONE);
    PodStatusView wanted =
        new StatusDraft().phase(PodStatusView.EMPTY.phase()).containers(sized, plain).view();

    assertThat(encode(PodStatusView.EMPTY, wanted))
        .contains(
            "\"allocatedResources\":{\"cpu\":\"2\"},\"resources\":{\"requests\":{\"cpu\":\"1\"}}}")
        .contains("\"imageID\":\"id\",\"resources\":{}}");
    assertDiffer(sized, plain);
    assertThat(StatusPatch.needed(wanted, wanted)).isFalse();
  }

  @Test
  void takesTheConditionsOfAResizeAwayWhenItIsOver() {
    ConditionView pending = new ConditionView("PodResizePending", "True", "Deferred", "m", T, 2L);
    ConditionView foreign = new ConditionView("example.com/x", "True", null, null, T, null);
    PodStatusView known = new StatusDraft().conditions(READY, pending, foreign).view();
    PodStatusView wanted = new StatusDraft().conditions(READY).view();

    assertThat(StatusPatch.needed(known, wanted)).isTrue();
    assertThat(encode(known, wanted))
        .endsWith(
            "\"status\":{\"conditions\":[{\"type\":\"PodResizePending\",\"$patch\":\"delete\"}]}}");
    assertThat(StatusPatch.needed(wanted, known)).isTrue();
    assertThat(StatusPatch.needed(known, known)).isFalse();
  }

  private static StatusDraft base() {
    return new StatusDraft().startTime(T).conditions(READY).containers(status("c", null));
  }

  private static void assertDiffer(Terminated a, Terminated b) {
    assertDiffer(lastState(a), lastState(b));
  }

  private static void assertDiffer(ContainerStatusView a, ContainerStatusView b) {
    PodStatusView known = new StatusDraft().containers(a).view();
    assertThat(StatusPatch.needed(known, new StatusDraft().containers(b).view())).isTrue();
    assertThat(StatusPatch.needed(known, new StatusDraft().containers(a).view())).isFalse();
  }

  private static ContainerStatusView status(String name, @Nullable ContainerStateView state) {
    return new ContainerStatusView(name, "x", "", null, 0, false, null, state, null);
  }

  private static ContainerStatusView lastState(ContainerStateView state) {
    return new ContainerStatusView("c", "x", "", null, 0, false, null, null, state);
  }

  private static ContainerStatusView container(
      String image,
      String imageId,
      @Nullable String id,
      int restarts,
      boolean ready,
      @Nullable Boolean started) {
    return new ContainerStatusView("c", image, imageId, id, restarts, ready, started, null, null);
  }

  private static String encode(PodStatusView known, PodStatusView wanted) {
    return StatusPatch.encode(REF, known, wanted).toString();
  }
}
