package dev.vertlet.harness.loadtest;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.fault.FaultProxy;
import dev.vertlet.harness.fault.TrafficLog;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.load.PodContainers;
import dev.vertlet.harness.load.PodLoad;
import dev.vertlet.harness.result.RunResult;
import dev.vertlet.harness.run.CloseStack;
import dev.vertlet.harness.run.LoadSession;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.harness.run.ProxySession;
import dev.vertlet.harness.run.RunDir;
import dev.vertlet.harness.scenario.Placement;
import dev.vertlet.harness.scenario.Scenario;
import dev.vertlet.harness.servicelevel.ControlPlaneRecorder;
import dev.vertlet.harness.subject.Peer;
import dev.vertlet.harness.subject.Subject;
import dev.vertlet.harness.subject.SubjectEnvironment;
import dev.vertlet.harness.subject.SubjectSpec;
import dev.vertlet.harness.subject.SubjectVersion;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** One load test, whose objects have unique names in the cluster. For use by one thread. */
public final class LoadTest {
  private static final int ID_BYTES = 3;

  /**
   * Time limit for recording a restart or the end of an outage: the load's event loop may have a
   * backlog.
   */
  private static final int NOTE_SECONDS = 10;

  private final LoadTestOptions options;
  private final String title;
  private final String name;

  /**
   * @throws IllegalArgumentException when the target or the subject does not support the scenario
   * @throws FailedException when the subject is not installed, with a hint how to install it
   */
  public LoadTest(LoadTestOptions options) {
    this(options, "");
  }

  /**
   * @param title prefix of the names of its steps, for one of several load tests
   */
  LoadTest(LoadTestOptions options, String title) {
    options.require();
    Subject.requireInstalled(options.subject());
    this.options = options;
    this.title = title;
    byte[] id = new byte[ID_BYTES];
    new SecureRandom().nextBytes(id);
    this.name = "load-" + HexFormat.of().formatHex(id);
  }

  /** Describes the changes to the cluster, for confirmation. */
  public String announcement() {
    Scenario scenario = options.scenario();
    return ("creates %d nodes and, in new namespaces that begin with %s, up to %d pods at a time on"
            + " them; removes all of it at the end. Should it be killed: kubectl delete"
            + " namespaces,nodes -l %s=%s")
        .formatted(scenario.nodes(), name, scenario.mostPods(), LoadPlan.LABEL, name);
  }

  /**
   * Runs the load test. In any case it ends the subject and removes the objects it created.
   *
   * @param reporter receives the result before the removal, which may fail
   * @throws FailedException on a timeout, after the reporter has received the result so far, or
   *     when the subject dies
   */
  public void run(Patience patience, Progress progress, Consumer<RunResult> reporter)
      throws Exception {
    try (CloseStack resources = new CloseStack()) {
      RunDir dir = resources.add(RunDir.create("vertlet-load-test-"));
      TargetCluster cluster =
          resources.add(TargetCluster.open(options.target(), controllers(), dir, patience));
      LoadPlan plan = plan(cluster);
      LoadSession session = resources.add(LoadSession.open(plan, patience));
      CreatedObjects footprint = new CreatedObjects(plan, session.load());
      if (!cluster.ours()) {
        resources.add(footprint::clear);
      }
      patience.await(
          footprint.create().toCompletionStage(), () -> "the namespaces cannot be created");
      if (options.subject().nodes() == Peer.Nodes.CREATED
          && options.subject() instanceof SubjectSpec.Program program) {
        patience.await(
            footprint.createNodes(program.peer()).toCompletionStage(),
            () -> "the nodes cannot be created");
      }
      Path kubeconfig = options.subjectKubeconfig().orElse(cluster.kubeconfig());
      Optional<ControlPlaneRecorder> recorder = recorder(resources, cluster, patience);
      Optional<FaultProxy> proxy = proxy(resources, kubeconfig, dir, patience);
      SubjectEnvironment where =
          new SubjectEnvironment(
              plan, proxy.map(FaultProxy::kubeconfig).orElse(kubeconfig), dir, System.getenv());
      Subject subject = resources.add(Subject.of(options.subject(), where));
      // close before the subject: pods created during the cleanup would stay
      resources.add(session.load()::cancel);
      Stage stage =
          new Stage(
              options,
              plan,
              session,
              subject,
              version(where, progress),
              new Faults(
                  proxy,
                  cluster.plane(),
                  subject,
                  () -> subjectStarts(session.load(), proxy),
                  lasting -> noted(session.load().outageOver(lasting))),
              recorder,
              new Steps(title, patience, progress));
      Run.Outcome outcome = new Run(stage).measure();
      reporter.accept(outcome.result());
      if (outcome.overdue().isPresent()) {
        throw outcome.overdue().get();
      }
    }
  }

  private Optional<ControlPlaneRecorder> recorder(
      CloseStack resources, TargetCluster cluster, Patience patience) throws InterruptedException {
    return options.target() instanceof Target.Embedded
        ? Optional.empty()
        : Optional.of(resources.add(ControlPlaneRecorder.start(cluster.recorded(), patience)));
  }

  private LoadPlan plan(TargetCluster cluster) {
    Scenario scenario = options.scenario();
    return new LoadPlan(cluster.kubeconfig(), name, name, "load", scenario)
        .withContainers(
            PodContainers.pausing(scenario.containers(), options.subject().containerCommand()));
  }

  /** Version of the subject. A failure to find it is reported but does not end the run. */
  private String version(SubjectEnvironment where, Progress progress) throws InterruptedException {
    SubjectVersion version = SubjectVersion.of(options.subject(), where);
    if (!version.trouble().isEmpty()) {
      progress.happened(version.trouble());
    }
    return version.text();
  }

  private void subjectStarts(PodLoad load, Optional<FaultProxy> proxy) {
    Optional<TrafficLog> log = proxy.filter(p -> options.traffic()).map(FaultProxy::traffic);
    noted(
        load.subjectStarts(
            () ->
                log.map(counts -> OptionalLong.of(counts.count("patch", "pods/status")))
                    .orElse(OptionalLong.empty())));
  }

  private static void noted(Future<Void> noting) {
    try {
      noting.await(NOTE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new FailedException("the event loop of the load does not turn", e);
    }
  }

  /** Whether the cluster needs controllers: not if the load binds the pods itself. */
  private boolean controllers() {
    return options.scenario().placement() == Placement.SCHEDULED || options.scenario().deploys();
  }

  private Optional<FaultProxy> proxy(
      CloseStack resources, Path kubeconfig, RunDir dir, Patience patience)
      throws InterruptedException {
    if (!options.needsProxy()) {
      return Optional.empty();
    }
    return Optional.of(
        resources
            .add(ProxySession.open(kubeconfig, dir, options.scenario().seed(), patience))
            .proxy());
  }
}
