package dev.vertlet.trace.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.trace.ContainerLife;
import dev.vertlet.trace.ContainerRun;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceEvent.Gap;
import dev.vertlet.trace.TraceEvent.NodeAdded;
import dev.vertlet.trace.TraceEvent.NodeChanged;
import dev.vertlet.trace.TraceEvent.NodeLeft;
import dev.vertlet.trace.TraceEvent.PodLived;
import dev.vertlet.trace.TraceEvent.RecordingEnded;
import dev.vertlet.trace.TraceEvent.WorkloadAdded;
import dev.vertlet.trace.TraceEvent.WorkloadChanged;
import dev.vertlet.trace.TraceEvent.WorkloadDeleted;
import dev.vertlet.trace.TraceEvent.WorkloadScaled;
import dev.vertlet.trace.WorkloadRef;
import dev.vertlet.trace.record.sanitize.Anonymizer;
import dev.vertlet.trace.record.sanitize.WorkloadKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordingTest {
  private static final Instant START = Instant.parse("2026-01-31T12:00:00.400Z");
  private static final WorkloadKind DEPLOYMENT = WorkloadKind.BUILT_IN.get(0);
  private static final WorkloadKind REPLICA_SET = WorkloadKind.BUILT_IN.get(1);
  private static final WorkloadKind CRON_JOB = WorkloadKind.BUILT_IN.get(4);
  private static final WorkloadKind JOB = WorkloadKind.BUILT_IN.get(5);
  private static final WorkloadRef WEB = new WorkloadRef("apps/v1", "Deployment", "shop", "web");

  private final List<TraceEvent> events = new ArrayList<>();
  private Recording recording = fresh();

  private Recording fresh() {
    return new Recording(Anonymizer.NONE, WorkloadKind.BUILT_IN, START, events::add);
  }

  private static Instant after(double seconds) {
    return START.plusMillis(Math.round(seconds * 1000));
  }

  private static JsonNode deployment(int replicas, String cpu) {
    return Yaml.of(
        """
        metadata: {name: web, namespace: shop, uid: d1}
        spec:
          replicas: %d
          template: {spec: {containers: [{name: c, resources: {requests: {cpu: %s}}}]}}
        """
            .formatted(replicas, cpu));
  }

  private static JsonNode owned(String name, String ownerKind, String ownerName, String ownerUid) {
    String version = ownerKind.equals("Deployment") ? "apps/v1" : "batch/v1";
    return Yaml.of(
        """
        metadata:
          name: %s
          namespace: shop
          ownerReferences:
          - {apiVersion: %s, kind: %s, name: %s, uid: %s, controller: true}
        spec: {template: {spec: {containers: [{name: c}]}}}
        """
            .formatted(name, version, ownerKind, ownerName, ownerUid));
  }

  private static JsonNode pod(String name, String owner, String status) {
    return Yaml.of(
        """
        metadata:
          name: %s
          namespace: shop
          creationTimestamp: "2026-01-31T12:00:10Z"
          labels: {pod-template-hash: h1}
          ownerReferences: %s
        spec:
          %s
          containers:
          - {name: c, resources: {requests: {cpu: 500m, memory: 64Mi}}}
        status: %s
        """
            .formatted(
                name,
                owner.isEmpty()
                    ? "[]"
                    : "[{apiVersion: apps/v1, kind: ReplicaSet, name: %s, uid: %s, controller: true}]"
                        .formatted(owner, owner),
                status.contains("PodScheduled") ? "nodeName: n1" : "dnsPolicy: Default",
                status));
  }

  private List<PodLife> lives() {
    return events.stream()
        .filter(PodLived.class::isInstance)
        .map(event -> ((PodLived) event).life())
        .toList();
  }

  private static JsonNode node(String cpu) {
    return Yaml.of(
        "{metadata: {name: n1}, status: {allocatable: {cpu: '%s'}, images: []}}".formatted(cpu));
  }

  @Test
  void nodesAreRecordedWhenTheirShapeChanges() {
    recording.node("u", node("4"), START);
    recording.synced(after(0));
    recording.node("u", node("4"), after(1));
    recording.node("u", node("8"), after(2));
    recording.nodeGone("u", after(3));
    assertThat(events)
        .extracting(event -> event.getClass().getSimpleName() + event.at())
        .containsExactly("NodeAdded0", "NodeChanged2000", "NodeLeft3000");
    assertThat(events.get(0)).isInstanceOf(NodeAdded.class);
    assertThat(((NodeChanged) events.get(1)).node().allocatable()).containsEntry("cpu", "8");
    assertThat(events.get(2)).isEqualTo(new NodeLeft(3000, "n1"));
  }

  @Test
  void scalingIsToldFromOtherChanges() {
    recording.synced(START);
    recording.workload(DEPLOYMENT, "d1", deployment(2, "1"), after(1));
    recording.workload(DEPLOYMENT, "d1", deployment(2, "1"), after(2));
    recording.workload(DEPLOYMENT, "d1", deployment(5, "1"), after(3));
    recording.workload(DEPLOYMENT, "d1", deployment(5, "2"), after(4));
    recording.workloadGone("d1", after(5));
    assertThat(events).hasSize(4);
    assertThat(events.get(0)).isInstanceOf(WorkloadAdded.class);
    assertThat(events.get(1)).isEqualTo(new WorkloadScaled(3000, WEB, 5));
    assertThat(((WorkloadChanged) events.get(2)).object().encode()).contains("\"cpu\":\"2\"");
    assertThat(events.get(3)).isEqualTo(new WorkloadDeleted(5000, WEB));
    assertThat(recording.changes()).isEqualTo(5);
  }

  @Test
  void podsBelongToTheOutermostRecordedOwner() {
    recording.synced(START);
    recording.workload(DEPLOYMENT, "d1", deployment(1, "1"), after(1));
    recording.workload(REPLICA_SET, "rs1", owned("web-h1", "Deployment", "web", "d1"), after(1));
    recording.pod("p1", pod("web-h1-x", "rs1", "{}"), after(2));
    recording.workload(
        CRON_JOB, "cj", Yaml.of("{metadata: {name: nightly, namespace: shop}}"), after(3));
    recording.workload(JOB, "j1", owned("nightly-1", "CronJob", "nightly", "cj"), after(3));
    recording.checkpoint(after(4));

    assertThat(lives()).singleElement().extracting(life -> life.identity().owner()).isEqualTo(WEB);
    assertThat(events)
        .filteredOn(WorkloadAdded.class::isInstance)
        .extracting(event -> ((WorkloadAdded) event).workload().kind())
        .containsExactly("Deployment", "CronJob");
  }

  @Test
  void podsWaitForTheirOwnerInAnotherWatch() {
    recording.synced(START);
    recording.pod("p1", pod("web-h1-x", "rs1", "{}"), after(1));
    recording.checkpoint(after(2));
    assertThat(lives()).isEmpty();
    recording.workload(REPLICA_SET, "rs1", owned("web-h1", "Deployment", "web", "d1"), after(3));
    recording.checkpoint(after(4));
    assertThat(lives()).singleElement().extracting(life -> life.identity().owner()).isEqualTo(WEB);
  }

  @Test
  void templatesAreNumberedInTheOrderOfTheirPods() {
    recording.synced(START);
    recording.workload(REPLICA_SET, "rs1", owned("web-h1", "Deployment", "web", "d1"), after(1));
    recording.workload(REPLICA_SET, "rs2", owned("web-h2", "Deployment", "web", "d1"), after(1));
    JsonNode other = pod("b", "rs2", "{}");
    ((com.fasterxml.jackson.databind.node.ObjectNode) other.path("metadata").path("labels"))
        .put("pod-template-hash", "h2");
    recording.pod("p2", other, after(2));
    recording.checkpoint(after(3));
    recording.pod("p1", pod("a", "rs1", "{}"), after(3));
    recording.pod("p3", pod("c", "rs1", "{}"), after(3));
    recording.checkpoint(after(4));
    assertThat(lives())
        .extracting(life -> life.identity().name() + life.identity().template())
        .containsExactlyInAnyOrder("b0", "a1", "c1");
  }

  @Test
  void aPodsLifeIsWrittenWhenItIsReadyAndWhenItIsGone() {
    recording.synced(START);
    recording.pod("p", pod("a", "", "{phase: Pending}"), after(9.7));
    String scheduled =
        "{type: PodScheduled, status: 'True', lastTransitionTime: '2026-01-31T12:00:10Z'}";
    recording.pod(
        "p", pod("a", "", "{phase: Pending, conditions: [%s]}".formatted(scheduled)), after(10.2));
    String running =
        "{name: c, restartCount: 0, state: {running: {startedAt: '2026-01-31T12:00:12Z'}}}";
    recording.pod(
        "p",
        pod(
            "a",
            "",
            """
            {phase: Running, containerStatuses: [%s], conditions: [%s,
            {type: Ready, status: 'True', lastTransitionTime: '2026-01-31T12:00:12Z'}]}
            """
                .formatted(running, scheduled)),
        after(12.1));
    assertThat(lives()).hasSize(1);
    String ended =
        "{name: c, restartCount: 0, state: {terminated: {exitCode: 3, reason: Error, startedAt:"
            + " '2026-01-31T12:00:12Z', finishedAt: '2026-01-31T12:01:12Z'}}}";
    recording.pod(
        "p",
        pod(
            "a",
            "",
            "{phase: Failed, reason: Evicted, containerStatuses: [%s], conditions: [%s]}"
                .formatted(ended, scheduled)),
        after(72));
    recording.podGone("p", after(80));

    assertThat(lives()).hasSize(3);
    PodLife last = lives().get(2);
    assertThat(last.node()).isEqualTo("n1");
    assertThat(last.times().created()).isEqualTo(9700);
    assertThat(last.times().scheduled()).isEqualTo(10_200);
    assertThat(last.times().started()).isEqualTo(12_100);
    assertThat(last.times().ready()).isEqualTo(12_100);
    assertThat(last.times().ended()).isEqualTo(72_000);
    assertThat(last.times().gone()).isEqualTo(80_000);
    assertThat(last.outcome().phase()).isEqualTo("Failed");
    assertThat(last.outcome().reason()).isEqualTo("Evicted");
    assertThat(last.containers())
        .containsExactly(
            new ContainerLife(
                "c", false, 0, List.of(new ContainerRun(12_100, 72_000L, 3, "Error")), null));
    assertThat(last.demand().cpuMillis()).isEqualTo(500);
    assertThat(last.demand().memoryBytes()).isEqualTo(64 << 20);
    assertThat(events)
        .filteredOn(event -> !(event instanceof PodLived))
        .extracting(event -> event.getClass().getSimpleName())
        .containsExactly("WorkloadAdded", "WorkloadDeleted");
  }

  @Test
  void timesLongBeforeTheyAreSeenAreTheApiServers() {
    recording.synced(START);
    recording.pod("p", pod("a", "", "{phase: Pending}"), after(60));
    recording.podGone("p", after(61));
    assertThat(lives().get(0).times().created()).isEqualTo(9600);
  }

  @Test
  void restartsKeepTheirRunsAndExitCodes() {
    recording.synced(START);
    String status =
        """
        {phase: Running, containerStatuses: [{name: c, restartCount: %d,
         lastState: {terminated: {exitCode: %d, startedAt: '2026-01-31T12:0%d:00Z', finishedAt: '2026-01-31T12:0%d:30Z'}},
         state: {running: {startedAt: '2026-01-31T12:0%d:00Z'}}}]}
        """;
    for (int run = 1; run < 4; run++) {
      recording.pod("p", pod("a", "", status.formatted(run, run, run, run, run + 1)), after(300));
      recording.pod("p", pod("a", "", status.formatted(run, run, run, run, run + 1)), after(301));
    }
    recording.checkpoint(after(302));
    ContainerLife container = lives().get(0).containers().get(0);
    assertThat(container.restarts()).isEqualTo(3);
    assertThat(container.runs())
        .extracting(ContainerRun::started, ContainerRun::ended, ContainerRun::exitCode)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(59_600L, 89_600L, 1),
            org.assertj.core.groups.Tuple.tuple(119_600L, 149_600L, 2),
            org.assertj.core.groups.Tuple.tuple(179_600L, 209_600L, 3),
            org.assertj.core.groups.Tuple.tuple(239_600L, null, null));
  }

  @Test
  void keepsTheLastRunsOfAPodThatCrashesForDays() {
    recording.synced(START);
    for (int run = 0; run < 40; run++) {
      recording.pod(
          "p",
          pod(
              "a",
              "",
              "{phase: Running, containerStatuses: [{name: c, restartCount: %d, state: {running: {startedAt: '2026-01-31T13:%02d:00Z'}}}]}"
                  .formatted(run, run)),
          after(300));
    }
    recording.checkpoint(after(301));
    ContainerLife container = lives().get(0).containers().get(0);
    assertThat(container.restarts()).isEqualTo(39);
    assertThat(container.runs()).hasSize(ContainerLife.MAX_RUNS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Successfully pulled image \"nginx:1\" in 1.234s (1.5s including waiting). Image size: 1"
            + " bytes.|1234",
        "Successfully pulled image \"nginx:1\" in 250ms|250",
        "Successfully pulled image \"nginx:1\" in 1m2.5s (1m3s including waiting)|62500",
        "Container image \"nginx:1\" already present on machine|0",
        "Container image \"nginx:1\" already present on machine and can be accessed by the pod|0",
        "Pulling image \"nginx:1\"|"
      })
  void pullTimesAreReadFromEvents(String message, Long millis) {
    assertThat(Recording.pullMillis(message)).isEqualTo(millis);
  }

  @Test
  void pullTimesAndUsageBelongToTheirPod() {
    recording.synced(START);
    recording.pod("p", pod("a", "", "{phase: Pending}"), after(10));
    recording.event(
        Yaml.of(
            """
            involvedObject: {uid: p, fieldPath: 'spec.containers{c}'}
            message: 'Successfully pulled image "x" in 2s'
            """));
    for (int cpu : new int[] {100, 300}) {
      recording.usage(
          Yaml.of(
              """
              metadata: {namespace: shop, name: a}
              containers: [{usage: {cpu: %dm, memory: 1Ki}}, {usage: {cpu: 0, memory: 1Ki}}]
              """
                  .formatted(cpu)));
    }
    recording.podGone("p", after(20));
    PodLife life = lives().get(0);
    assertThat(life.containers().get(0).pullMillis()).isEqualTo(2000);
    assertThat(life.usage()).isEqualTo(new dev.vertlet.trace.PodUsage(200, 300, 2048, 2048, 2));
  }

  @Test
  void aResumedRecordingDoublesNothingAndTellsTheGap() {
    recording.node("n", node("4"), START);
    recording.workload(DEPLOYMENT, "d1", deployment(2, "1"), START);
    recording.workload(DEPLOYMENT, "d2", rename(deployment(2, "1"), "goes"), START);
    recording.workload(REPLICA_SET, "rs1", owned("web-h1", "Deployment", "web", "d1"), START);
    recording.pod("p1", pod("stays", "rs1", "{phase: Pending}"), START);
    recording.pod("p2", pod("goes", "rs1", "{phase: Pending}"), START);
    recording.synced(START);
    recording.checkpoint(after(20));
    List<TraceEvent> before = List.copyOf(events);
    events.clear();

    recording = fresh();
    before.forEach(recording::restore);
    recording.resume(after(100));
    recording.node("n", node("4"), after(101));
    recording.workload(DEPLOYMENT, "d1", deployment(3, "1"), after(101));
    recording.workload(REPLICA_SET, "rs1", owned("web-h1", "Deployment", "web", "d1"), after(101));
    recording.pod("p1", pod("stays", "rs1", "{phase: Pending}"), after(101));
    recording.pod("p3", pod("comes", "rs1", "{phase: Pending}"), after(101));
    recording.synced(after(102));

    assertThat(events.get(0)).isEqualTo(new Gap(100_000, 0, 100_000, Gap.RECORDER, null));
    assertThat(events.get(1)).isEqualTo(new WorkloadScaled(100_000, WEB, 3));
    assertThat(events).filteredOn(WorkloadAdded.class::isInstance).isEmpty();
    assertThat(events)
        .filteredOn(WorkloadDeleted.class::isInstance)
        .extracting(event -> ((WorkloadDeleted) event).workload().name())
        .containsExactly("goes");
    assertThat(lives())
        .extracting(
            life -> life.identity().name() + life.times().gone() + life.identity().template())
        .containsExactlyInAnyOrder("goes1000000", "comesnull0");
  }

  private static JsonNode rename(JsonNode object, String name) {
    ((com.fasterxml.jackson.databind.node.ObjectNode) object.path("metadata")).put("name", name);
    return object;
  }

  @Test
  void aClockThatGoesBackStopsTheTimeline() {
    recording.synced(START);
    recording.node("u", node("4"), after(10));
    recording.nodeGone("u", after(5));
    recording.gap(Gap.WATCH, "pods", Duration.ofSeconds(3), after(6));
    recording.end(after(20));
    assertThat(events)
        .extracting(TraceEvent::at)
        .containsExactly(10_000L, 10_000L, 10_000L, 20_000L);
    assertThat(events.get(2)).isEqualTo(new Gap(10_000, 7_000, 10_000, Gap.WATCH, "pods"));
    assertThat(events.get(3)).isInstanceOf(RecordingEnded.class);
  }

  @Test
  void staticPodsAreTheirNodesMatter() {
    recording.synced(START);
    JsonNode mirror = pod("etcd-n1", "", "{phase: Running}");
    ((com.fasterxml.jackson.databind.node.ObjectNode) mirror.path("metadata"))
        .putObject("annotations")
        .put("kubernetes.io/config.mirror", "x");
    recording.pod("m", mirror, after(1));
    recording.checkpoint(after(2));
    assertThat(events).isEmpty();
  }
}
