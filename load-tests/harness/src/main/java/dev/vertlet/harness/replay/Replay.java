package dev.vertlet.harness.replay;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.agent.Vertlet;
import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.loadtest.Environments;
import dev.vertlet.harness.loadtest.Target;
import dev.vertlet.harness.loadtest.TargetCluster;
import dev.vertlet.harness.replay.cluster.Driver;
import dev.vertlet.harness.replay.cluster.ReplayVerticle;
import dev.vertlet.harness.replay.life.LifeBook;
import dev.vertlet.harness.replay.life.ReplayClock;
import dev.vertlet.harness.replay.plan.PlanOptions;
import dev.vertlet.harness.replay.plan.Planner;
import dev.vertlet.harness.replay.plan.Recording;
import dev.vertlet.harness.replay.plan.ReplayPlan;
import dev.vertlet.harness.replay.report.ReplayReport;
import dev.vertlet.harness.replay.report.RunFigures;
import dev.vertlet.harness.replay.report.RunTimes;
import dev.vertlet.harness.run.CloseStack;
import dev.vertlet.harness.run.EventLoops;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.harness.run.RunDir;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.trace.PodLife;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** One replay, whose objects have a label of their own. For use by one thread. */
public final class Replay {
  private static final int ID_BYTES = 3;
  private static final int LOOPS = 1;
  private static final int ANSWER_SECONDS = 10;

  /** The controller takes half a minute for a namespace with thousands of pods. */
  private static final int CLEAR_SECONDS = 180;

  /** Time besides the replay itself: a cold start on a busy machine. */
  private static final Duration BASE_TIMEOUT = Duration.ofMinutes(3);

  /** Additional time for each node that has to become Ready. */
  private static final Duration TIMEOUT_PER_NODE = Duration.ofMillis(50);

  /** Additional time for each pod that has to run before the clock starts. */
  private static final Duration TIMEOUT_PER_POD = Duration.ofMillis(50);

  /** Failures of initial objects in a report: enough to see what they have in common. */
  private static final int NAMED = 10;

  /** Seed of lives that are drawn: the same recording is replayed the same way. */
  private static final long SEED = 1;

  private final ReplayOptions options;
  private final Recording recording;
  private final ReplayPlan plan;
  private final LifeBook lives;
  private final String id;

  public Replay(ReplayOptions options, Recording recording) {
    byte[] random = new byte[ID_BYTES];
    new SecureRandom().nextBytes(random);
    this.id = "replay-" + HexFormat.of().formatHex(random);
    this.options = options;
    this.recording = recording;
    this.plan =
        Planner.plan(
            recording,
            new PlanOptions(
                id,
                options.speed(),
                options.scale(),
                !(options.target() instanceof Target.Embedded),
                options.nodes()));
    this.lives = new LifeBook(recording, options.scale(), SEED);
  }

  /** Value of the label of all that it makes. */
  public String id() {
    return id;
  }

  /** Describes the changes to the cluster, for confirmation. */
  public String announcement() {
    return ("creates %,d nodes and, in the namespaces %s, %,d workloads and pods on them, all with"
            + " the label vertlet.dev/replay=%s; removes all of it at the end. Should it be killed:"
            + " ./vertlet replay --clean --target KUBECONFIG")
        .formatted(
            plan.nodes().size(),
            String.join(", ", plan.namespaces().stream().sorted().toList()),
            plan.workloads().size(),
            id);
  }

  /** Time limit without another one: the replay, and what it needs before and after. */
  public Duration timeout() {
    return BASE_TIMEOUT
        .plusMillis(plan.millis())
        .plus(TIMEOUT_PER_NODE.multipliedBy(plan.first().size()))
        .plus(TIMEOUT_PER_POD.multipliedBy(lives.steady()));
  }

  /**
   * Replays. In any case it ends its agent and removes what it made.
   *
   * @param reporter receives the report before the removal, which may fail
   * @return whether every step succeeded
   * @throws FailedException when the cluster cannot take the replay, before it has changed
   *     anything; on a timeout; when something is left
   */
  public boolean run(Patience patience, Progress progress, Consumer<ReplayReport> reporter)
      throws Exception {
    Instant started = Instant.now();
    double loadAverage = Environments.loadAverage();
    try (CloseStack resources = new CloseStack()) {
      RunDir dir = resources.add(RunDir.create("vertlet-replay-"));
      TargetCluster cluster =
          resources.add(TargetCluster.open(options.target(), true, dir, patience));
      EventLoops loops = resources.add(EventLoops.open(LOOPS));
      ReplayVerticle verticle =
          new ReplayVerticle(
              ApiAccess.discover(cluster.kubeconfig(), null), id, this::workloadName);
      String deployment =
          patience.await(
              loops.vertx().deployVerticle(verticle).toCompletionStage(),
              () -> "the API server of %s does not answer".formatted(cluster.kubeconfig()));
      resources.add(() -> loops.vertx().undeploy(deployment).await(ANSWER_SECONDS, SECONDS));
      Await await = new Await(patience, verticle);
      String kubernetes = await.of(verticle.version(), "the API server does not tell its version");
      ReplayVerticle.Checked checked =
          await.of(verticle.check(plan), "the cluster cannot be checked");
      if (!cluster.ours()) {
        resources.add(() -> clear(verticle.clean(), "--target " + options.target()));
      }
      ReplayClock clock = new ReplayClock();
      Vertlet agent =
          resources.add(
              ReplayAgent.start(id, cluster.kubeconfig(), dir, lives, options.speed(), clock));
      resources.add(clock::start);
      await.of(agent.ready(), "the agent of the replay's nodes is not ready");
      resources.add(() -> verticle.cancel().await(ANSWER_SECONDS, SECONDS));
      prepare(verticle, checked, patience, progress);
      List<String> missing = establish(verticle, patience, progress);
      clock.start();
      Driver driver = drive(verticle, patience, progress);
      RunTimes seen =
          await.of(verticle.times(this::initial, plan.millis()), "the replay's times are missing");
      reporter.accept(
          ReplayReport.of(
              options.trace(),
              RecordedRun.of(recording),
              options.name(),
              seen.scaledBack(options.speed()),
              new ReplayReport.Driven(
                  options.speed(),
                  options.scale(),
                  RunFigures.json(driver.lateness()),
                  notes(checked, missing, driver)),
              Environments.of(
                  started,
                  loadAverage,
                  options.target().toString(),
                  options.arguments(),
                  kubernetes)));
      return driver.failures() == 0 && missing.isEmpty();
    }
  }

  /** Waits for answers of the cluster. */
  private record Await(Patience patience, ReplayVerticle verticle) {
    <T> T of(Future<T> answer, String missing) throws InterruptedException {
      return patience.await(
          answer.toCompletionStage(),
          () -> missing + (verticle.trouble().isEmpty() ? "" : ": " + verticle.trouble()));
    }
  }

  private void prepare(
      ReplayVerticle verticle, ReplayVerticle.Checked checked, Patience patience, Progress progress)
      throws InterruptedException {
    int nodes = plan.first().size();
    progress.begin("nodes Ready", nodes);
    patience.await(
        verticle
            .prepare(checked.newNamespaces(), plan.first())
            .compose(made -> verticle.nodesReady(nodes))
            .toCompletionStage(),
        () ->
            "%d of %d nodes are Ready; %s"
                .formatted(verticle.readyNodes(), nodes, verticle.trouble()),
        () -> progress.at(verticle.readyNodes()));
    progress.at(nodes);
  }

  /** Makes what exists when the recording begins; returns failures, each with its object. */
  private List<String> establish(ReplayVerticle verticle, Patience patience, Progress progress)
      throws InterruptedException {
    int pods = lives.steady();
    progress.begin("pods that run at the beginning", pods);
    List<String> failures =
        patience.await(
            verticle.establish(plan, pods).toCompletionStage(),
            () ->
                "%d of %d pods run that ran when the recording began; %s"
                    .formatted(verticle.runningPods(), pods, verticle.trouble()),
            () -> progress.at(verticle.runningPods()));
    progress.at(verticle.runningPods());
    return failures;
  }

  private Driver drive(ReplayVerticle verticle, Patience patience, Progress progress)
      throws InterruptedException {
    int steps = plan.steps().size();
    progress.begin("replay", steps);
    Driver driver =
        patience.await(
            verticle.drive(plan).toCompletionStage(),
            () -> "%d of %d steps".formatted(verticle.done(), steps),
            () -> progress.at(verticle.done(), "%,d pods".formatted(verticle.pods())));
    progress.at(driver.done(), "%,d pods".formatted(verticle.pods()));
    progress.close();
    return driver;
  }

  private boolean initial(String uid) {
    PodLife life = lives.given(uid);
    return life != null && life.times().created() < 0;
  }

  /** Name of a workload by the annotation of its pods. */
  private String workloadName(String annotation) {
    if (annotation.startsWith("#")) {
      return recording
          .lives()
          .get(Integer.parseInt(annotation.substring(1)))
          .identity()
          .owner()
          .toString();
    }
    int slash = annotation.indexOf('/');
    return slash < 0
        ? ""
        : recording.workloads().get(Integer.parseInt(annotation.substring(0, slash))).toString();
  }

  private List<String> notes(ReplayVerticle.Checked checked, List<String> missing, Driver driver) {
    List<String> notes = new ArrayList<>(plan.notes());
    notes.addAll(checked.notes());
    if (!missing.isEmpty()) {
      notes.add("%,d objects of the beginning could not be made".formatted(missing.size()));
      notes.addAll(missing.subList(0, Math.min(NAMED, missing.size())));
    }
    lives
        .counts()
        .forEach(
            (match, count) -> {
              switch (match) {
                case SIBLING -> {}
                case TEMPLATE ->
                    notes.add(
                        "%,d pods had no recorded sibling left; their lives were drawn from their template's"
                            .formatted(count));
                case WORKLOAD ->
                    notes.add(
                        "%,d pods of templates without recorded pods; their lives were drawn from their workload's"
                            .formatted(count));
                case NONE ->
                    notes.add(
                        "%,d pods of workloads without recorded lives run until they are deleted"
                            .formatted(count));
              }
            });
    driver.behind().ifPresent(notes::add);
    if (driver.failures() > 0) {
      notes.add("%,d steps failed".formatted(driver.failures()));
      notes.addAll(driver.firstFailures());
    }
    if (driver.done() < driver.all()) {
      notes.add(
          "%,d of %,d steps were not made before the end"
              .formatted(driver.all() - driver.done(), driver.all()));
    }
    return notes;
  }

  /** Waits for a removal, also on Ctrl-C: what is left would disturb later replays. */
  static void clear(Future<Void> cleaning, String target) throws InterruptedException {
    try {
      cleaning.await(CLEAR_SECONDS, SECONDS);
    } catch (TimeoutException e) {
      throw new FailedException(
          "not cleared within %d s; what is left goes with: ./vertlet replay --clean %s"
              .formatted(CLEAR_SECONDS, target),
          e);
    } catch (RuntimeException e) {
      throw new FailedException(
          "not cleared (%s); what is left goes with: ./vertlet replay --clean %s"
              .formatted(e.getMessage(), target),
          e);
    }
  }

  /**
   * Removes what replays have left in a cluster.
   *
   * @throws FailedException when something is left
   */
  public static void clean(Target.Existing target, Patience patience) throws Exception {
    try (CloseStack resources = new CloseStack()) {
      EventLoops loops = resources.add(EventLoops.open(LOOPS));
      ReplayVerticle verticle =
          new ReplayVerticle(
              ApiAccess.discover(target.kubeconfig(), null), "", annotation -> annotation);
      patience.await(
          loops.vertx().deployVerticle(verticle).toCompletionStage(),
          () -> "the API server of %s does not answer".formatted(target));
      clear(verticle.cleanAll(), "--target " + target);
    }
  }
}
