package dev.vertlet.harness.replay.plan;

import static dev.vertlet.harness.replay.SampleTrace.CRON;
import static dev.vertlet.harness.replay.SampleTrace.JOB;
import static dev.vertlet.harness.replay.SampleTrace.WEB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.vertlet.harness.replay.SampleTrace;
import dev.vertlet.trace.PodTimes;
import dev.vertlet.trace.RecordedNode;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.WorkloadRef;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final PlanOptions PLAIN =
      new PlanOptions("replay-1", 1, 1, true, Optional.empty());

  private static PlanOptions at(double speed, int scale) {
    return new PlanOptions("replay-1", speed, scale, true, Optional.empty());
  }

  private static SampleTrace web() {
    return new SampleTrace()
        .node(0, "n1")
        .add(new TraceEvent.WorkloadAdded(1_000, WEB, SampleTrace.deployment(2, "1")))
        .add(new TraceEvent.WorkloadScaled(3_000, WEB, 5))
        .add(new TraceEvent.WorkloadChanged(4_000, WEB, SampleTrace.deployment(5, "2")))
        .add(new TraceEvent.WorkloadDeleted(8_000, WEB));
  }

  private static JsonObject pod(Step step) {
    JsonObject object =
        step instanceof Step.Create create ? create.object() : ((Step.Change) step).patch();
    return object.getJsonObject("spec").getJsonObject("template");
  }

  @Test
  @Tag("Q02")
  void timesAreDividedByTheSpeed() {
    ReplayPlan plan = Planner.plan(web().recording(10_000), at(4, 1));

    assertThat(plan.steps()).extracting(Step::at).containsExactly(250L, 750L, 1_000L, 2_000L);
    assertThat(plan.millis()).isEqualTo(2_500);
  }

  @Test
  void scalingChangesTheReplicasAlone() {
    ReplayPlan plan = Planner.plan(web().recording(10_000), PLAIN);

    assertThat(((Step.Change) plan.steps().get(1)).patch())
        .isEqualTo(new JsonObject("{\"spec\":{\"replicas\":5}}"));
  }

  @Test
  void aNewTemplateHasANumberOfItsOwn() {
    List<Step> steps = Planner.plan(web().recording(10_000), PLAIN).steps();

    assertThat(annotation(pod(steps.get(0)))).isEqualTo("0/0");
    assertThat(annotation(pod(steps.get(2)))).isEqualTo("0/1");
  }

  private static String annotation(JsonObject template) {
    return template
        .getJsonObject("metadata")
        .getJsonObject("annotations")
        .getString(ReplayLabels.TEMPLATE);
  }

  @Test
  void podsRunOnNodesOfTheReplayAlone() {
    ReplayPlan plan = Planner.plan(web().recording(10_000), PLAIN);

    JsonObject spec = pod(plan.steps().get(0)).getJsonObject("spec");
    assertThat(spec.getJsonObject("nodeSelector").getString(ReplayLabels.REPLAY))
        .isEqualTo("replay-1");
    JsonObject node = plan.first().get(0).node();
    assertThat(node.getJsonObject("metadata").getJsonObject("labels").getMap())
        .containsEntry(ReplayLabels.REPLAY, "replay-1")
        .containsEntry("karpenter.sh/nodepool", "general");
    assertThat(node.getJsonObject("spec").getJsonArray("taints"))
        .as("taints of conditions are the cluster's own work")
        .isEqualTo(
            new JsonArray(
                "[{\"key\":\"vertlet.dev/replay\",\"value\":\"replay-1\",\"effect\":\"NoSchedule\"}]"));
    assertThat(node.getJsonObject("status").getJsonObject("allocatable").getString("cpu"))
        .isEqualTo("3920m");
  }

  @Test
  void probesAndReferencesAreLeftOut() {
    JsonObject object = SampleTrace.deployment(1, "1");
    JsonObject spec = object.getJsonObject("spec").getJsonObject("template").getJsonObject("spec");
    spec.put("serviceAccountName", "robot").put("runtimeClassName", "gvisor");
    spec.getJsonArray("containers")
        .getJsonObject(0)
        .put("readinessProbe", new JsonObject().put("periodSeconds", 5));
    ReplayPlan plan =
        Planner.plan(
            new SampleTrace().add(new TraceEvent.WorkloadAdded(0, WEB, object)).recording(1_000),
            PLAIN);

    JsonObject made = pod(plan.initial().get(0)).getJsonObject("spec");
    assertThat(made.fieldNames()).doesNotContain("serviceAccountName", "runtimeClassName");
    assertThat(made.getJsonArray("containers").getJsonObject(0).fieldNames())
        .doesNotContain("readinessProbe");
  }

  @Test
  void aScaledReplayHasMorePodsAndNodes() {
    ReplayPlan plan = Planner.plan(web().recording(10_000), at(1, 3));

    assertThat(plan.nodes()).containsExactly("n1", "n1-x2", "n1-x3");
    assertThat(
            plan.first()
                .get(1)
                .node()
                .getJsonObject("metadata")
                .getJsonObject("labels")
                .getString("kubernetes.io/hostname"))
        .isEqualTo("n1-x2");
    assertThat(
            ((Step.Create) plan.steps().get(0))
                .object()
                .getJsonObject("spec")
                .getInteger("replicas"))
        .isEqualTo(6);
    assertThat(((Step.Change) plan.steps().get(1)).patch().getJsonObject("spec").getMap())
        .containsEntry("replicas", 15);
  }

  @Test
  void aNodeThatLeavesDoesSoAtItsTime() {
    ReplayPlan plan =
        Planner.plan(
            new SampleTrace()
                .node(0, "n1")
                .node(2_000, "n2")
                .add(new TraceEvent.NodeLeft(5_000, "n1"))
                .recording(6_000),
            PLAIN);

    assertThat(plan.first()).extracting(Step.NodeJoins::name).containsExactly("n1");
    assertThat(plan.steps())
        .extracting(Step::at, Step::subject)
        .containsExactly(tuple(2_000L, "node n2"), tuple(5_000L, "node n1"));
  }

  private static RecordedNode cordoned(String name) {
    RecordedNode shape = SampleTrace.shape(name);
    return new RecordedNode(
        name, shape.labels(), shape.taints(), shape.capacity(), shape.allocatable(), true);
  }

  private static SampleTrace onN1(
      SampleTrace trace, WorkloadRef owner, String name, long deleting) {
    return trace.life(
        trace.life(
            owner,
            name,
            new PodTimes(1_000, 1_020L, 2_000L, 2_500L, null, deleting, deleting + 200)));
  }

  /** A node with pods of a Deployment that is cordoned at 10 s and leaves at 20 s. */
  private static SampleTrace drained() {
    return new SampleTrace()
        .node(0, "n1")
        .add(new TraceEvent.WorkloadAdded(1_000, WEB, SampleTrace.deployment(5, "1")))
        .add(new TraceEvent.NodeChanged(10_000, cordoned("n1")))
        .add(new TraceEvent.NodeLeft(20_000, "n1"));
  }

  private static List<Step> evictions(SampleTrace trace, PlanOptions options) {
    return Planner.plan(trace.recording(30_000), options).steps().stream()
        .filter(Step.Evict.class::isInstance)
        .toList();
  }

  @Test
  @Tag("Q01")
  void podsLeaveADrainedNodeWhenTheyDid() {
    SampleTrace trace = onN1(onN1(drained(), WEB, "web-a", 12_000), WEB, "web-b", 16_000);

    assertThat(evictions(trace, PLAIN))
        .containsExactly(new Step.Evict(12_000, "n1", WEB), new Step.Evict(16_000, "n1", WEB));
    assertThat(evictions(trace, at(4, 2)))
        .containsExactly(
            new Step.Evict(3_000, "n1", WEB),
            new Step.Evict(3_000, "n1-x2", WEB),
            new Step.Evict(4_000, "n1", WEB),
            new Step.Evict(4_000, "n1-x2", WEB));
  }

  @Test
  void podsThatEndedOrWereDeletedByControllersAreNotEvicted() {
    SampleTrace trace = drained().add(new TraceEvent.WorkloadScaled(15_000, WEB, 4));
    onN1(trace, WEB, "before-the-cordon", 9_000);
    onN1(trace, WEB, "by-the-scaling", 15_100);
    onN1(trace, WEB, "with-the-node", 20_000);
    onN1(trace, SampleTrace.workload("v1", "Pod", "bare"), "bare", 12_000);
    trace.life(
        trace.life(
            JOB, "ended", new PodTimes(1_000, 1_020L, 2_000L, 2_500L, 11_000L, 12_000L, 12_100L)));

    assertThat(evictions(trace, PLAIN)).isEmpty();
  }

  @Test
  void nothingIsEvictedFromOtherNodesThanTheRecordedOnes() {
    SampleTrace trace = onN1(drained(), WEB, "web-a", 12_000);

    assertThat(
            evictions(
                trace,
                new PlanOptions(
                    "replay-1", 1, 1, true, Optional.of(List.of(SampleTrace.shape("n1"))))))
        .isEmpty();
  }

  @Test
  void jobsThatHadEndedBeforeAreLeftOut() {
    ReplayPlan plan =
        Planner.plan(
            new SampleTrace()
                .add(
                    new TraceEvent.WorkloadAdded(
                        0, JOB, SampleTrace.object(JOB, SampleTrace.jobSpec())))
                .pod(JOB, "import-a", -9_000, -8_000, -1_000L, 0)
                .recording(1_000),
            PLAIN);

    assertThat(plan.steps()).isEmpty();
    assertThat(plan.initial()).isEmpty();
    assertThat(plan.notes()).singleElement().asString().contains("1 Jobs had ended", "shop/import");
  }

  @Test
  void whatExistsWhenTheRecordingBeginsIsMadeBeforeTheClockStarts() {
    ReplayPlan plan =
        Planner.plan(
            new SampleTrace()
                .add(new TraceEvent.WorkloadAdded(0, WEB, SampleTrace.deployment(2, "1")))
                .add(
                    new TraceEvent.WorkloadAdded(
                        10, JOB, SampleTrace.object(JOB, SampleTrace.jobSpec())))
                .recording(10_000),
            at(1_000, 1));

    assertThat(plan.initial()).extracting(Step::subject).containsExactly(WEB.toString());
    assertThat(plan.steps())
        .as("a step that the speed rounds to the beginning comes after it")
        .extracting(Step::at, Step::subject)
        .containsExactly(tuple(0L, JOB.toString()));
  }

  @Test
  void podsThatExistWhenTheRecordingBeginsAreMadeBeforeTheClockStarts() {
    ReplayPlan plan =
        Planner.plan(
            new SampleTrace()
                .add(new TraceEvent.WorkloadAdded(0, WEB, SampleTrace.deployment(2, "1")))
                .pod(WEB, "web-old", -60_000, -59_000, null, 0)
                .pod(WEB, "web-new", 2_000, 3_000, null, 0)
                .podThatGoes(WEB, "web-going", -60_000, -59_000, 5_000)
                .recording(10_000),
            new PlanOptions("replay-1", 1, 1, false, Optional.empty()));

    assertThat(plan.initial())
        .extracting(step -> step.workload().name())
        .containsExactlyInAnyOrder("web-old", "web-going");
    assertThat(plan.steps())
        .extracting(Step::at, Step::subject, step -> step.getClass().getSimpleName())
        .containsExactly(
            tuple(2_000L, "Pod shop/web-new", "Create"),
            tuple(5_000L, "Pod shop/web-going", "Delete"));
  }

  @Test
  void aCronJobIsSuspendedAndItsRunsAreMadeWhenTheyWere() {
    JsonObject spec =
        new JsonObject()
            .put("schedule", "* * * * *")
            .put("jobTemplate", new JsonObject().put("spec", SampleTrace.jobSpec()));
    ReplayPlan plan =
        Planner.plan(
            new SampleTrace()
                .add(new TraceEvent.WorkloadAdded(0, CRON, SampleTrace.object(CRON, spec)))
                .podThatGoes(CRON, "report-100-abcde", 7_000, 7_500, 9_000)
                .pod(CRON, "report-101-fghij", 67_000, 67_500, null, 0)
                .recording(70_000),
            PLAIN);

    assertThat(plan.initial())
        .singleElement()
        .satisfies(
            cronJob ->
                assertThat(cronJob.object().getJsonObject("spec").getBoolean("suspend")).isTrue());
    assertThat(plan.steps())
        .extracting(Step::at, Step::subject, step -> step.getClass().getSimpleName())
        .containsExactly(
            tuple(7_000L, "Job shop/report-100", "Create"),
            tuple(9_000L, "Job shop/report-100", "Delete"),
            tuple(67_000L, "Job shop/report-101", "Create"));
    JsonObject job = ((Step.Create) plan.steps().get(0)).object();
    assertThat(annotation(job.getJsonObject("spec").getJsonObject("template"))).isEqualTo("0/0");
  }

  @Test
  void withoutControllersPodsAreMadeOneByOne() {
    ReplayPlan plan =
        Planner.plan(
            web()
                .pod(WEB, "web-1", 1_100, 1_500, null, 0)
                .podThatGoes(WEB, "web-2", 1_200, 1_600, 5_000)
                .recording(10_000),
            new PlanOptions("replay-1", 1, 1, false, Optional.empty()));

    assertThat(plan.workloads())
        .containsExactly(
            new WorkloadRef("v1", "Pod", "shop", "web-1"),
            new WorkloadRef("v1", "Pod", "shop", "web-2"));
    assertThat(plan.steps()).extracting(Step::at).containsExactly(1_100L, 1_200L, 5_000L);
    JsonObject pod = ((Step.Create) plan.steps().get(0)).object();
    assertThat(pod.getJsonObject("metadata").getJsonObject("annotations").getMap())
        .containsEntry(ReplayLabels.LIFE, "0");
    assertThat(
            pod.getJsonObject("spec")
                .getJsonArray("containers")
                .getJsonObject(0)
                .getString("image"))
        .isEqualTo("registry.example/app:1");
  }

  @Test
  void otherNodesTakeThePlaceOfTheRecordedOnes() {
    ReplayPlan plan =
        Planner.plan(
            web().node(2_000, "n2").recording(10_000),
            new PlanOptions(
                "replay-1", 1, 1, true, Optional.of(List.of(SampleTrace.shape("big")))));

    assertThat(plan.nodes()).containsExactly("big");
  }

  @Test
  void gapsOfTheRecordingAreTold() {
    ReplayPlan plan =
        Planner.plan(
            new SampleTrace()
                .add(new TraceEvent.Gap(5_000, 2_000, 5_000, TraceEvent.Gap.RECORDER, null))
                .recording(6_000),
            PLAIN);

    assertThat(plan.notes()).containsExactly("the recording has a gap from 2.0 s to 5.0 s");
  }

  @Test
  void classesThatAClusterDoesNotHaveAreTakenFromItsPods() {
    JsonObject object = SampleTrace.deployment(1, "1");
    object
        .getJsonObject("spec")
        .getJsonObject("template")
        .getJsonObject("spec")
        .put("priorityClassName", "gold");
    ReplayPlan plan =
        Planner.plan(
            new SampleTrace().add(new TraceEvent.WorkloadAdded(0, WEB, object)).recording(1_000),
            PLAIN);
    assertThat(plan.priorityClasses()).containsExactly("gold");

    PriorityClasses.remove(plan, plan.priorityClasses());

    assertThat(pod(plan.initial().get(0)).getJsonObject("spec").fieldNames())
        .doesNotContain("priorityClassName");
  }
}
