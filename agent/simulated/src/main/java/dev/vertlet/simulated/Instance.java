package dev.vertlet.simulated;

import dev.vertlet.model.resource.Quantities;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.simulated.rule.CheckBook;
import dev.vertlet.simulated.rule.Consumption;
import dev.vertlet.simulated.rule.DurationRule;
import dev.vertlet.simulated.rule.HookScript;
import dev.vertlet.simulated.rule.ProbeScript;
import dev.vertlet.simulated.rule.UsageRule;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * One instance of a container: created, running, ended. It holds its next deadlines but not the
 * rules they came from. The times in its record are the planned ones in whole seconds, so that a
 * late timer does not show.
 */
final class Instance extends Timed {
  /** Exit code of a killed container: 128 + SIGKILL. */
  static final int KILLED = 137;

  static final String COMPLETED = "Completed";
  static final String ERROR = "Error";
  static final String OOM_KILLED = "OOMKilled";

  /** Effect of one step. */
  enum Change {
    NONE,
    STARTED,
    READY,
    ENDED
  }

  final SimulatedPod pod;
  private ContainerRecord record;
  private @Nullable Instance previous;
  private final long startAt;
  private final long readyAt;
  private long endAt;
  private Plan.End how;
  private final Plan.Stop stop;

  /** Scripted checks; null when probes and hooks succeed at once. */
  private final @Nullable CheckBook checks;

  private final Consumption consumption;
  private boolean stopping;

  private Instance(
      SimulatedPod pod, ContainerRecord record, long startAt, long readyAt, long endAt, Plan plan) {
    this.pod = pod;
    this.record = record;
    this.startAt = startAt;
    this.readyAt = readyAt;
    this.endAt = endAt;
    this.how = plan.end();
    this.stop = plan.stop();
    this.checks = CheckBook.of(plan.checks());
    this.consumption = plan.consumption();
  }

  /**
   * Creates an instance that follows its plan from {@code createdAt} on; {@link #step} starts it.
   *
   * @param record Waiting
   */
  static Instance created(SimulatedPod pod, ContainerRecord record, Plan plan, long createdAt) {
    long startAt = Plan.after(createdAt, plan.startDelay());
    return new Instance(
        pod,
        record,
        startAt,
        plan.readyDelay() == 0 ? startAt : Plan.after(startAt, plan.readyDelay()),
        Plan.after(startAt, plan.runFor()),
        plan);
  }

  /**
   * Creates an instance that an earlier process started at {@code startedAt}.
   *
   * @param record Running; a ready container stays ready, whatever the plan says
   */
  static Instance running(SimulatedPod pod, ContainerRecord record, Plan plan, long startedAt) {
    boolean waits = Boolean.FALSE.equals(record.ready());
    return new Instance(
        pod,
        record,
        startedAt,
        waits ? Plan.after(startedAt, plan.readyDelay()) : startedAt,
        Plan.after(startedAt, plan.runFor()),
        plan);
  }

  /** Creates an instance that ended under an earlier process. */
  static Instance ended(SimulatedPod pod, ContainerRecord record) {
    return new Instance(pod, record, 0, 0, 0, Plan.PLAIN);
  }

  /**
   * Creates an instance that has run since {@code startedAt} and for which {@link #isPlain} holds.
   *
   * @param record Running
   */
  static Instance rested(SimulatedPod pod, ContainerRecord record, long startedAt) {
    return new Instance(pod, record, startedAt, startedAt, DurationRule.NEVER_MILLIS, Plan.PLAIN);
  }

  /** Returns whether the instance runs until it is stopped, stops at once, and has no rules. */
  boolean isPlain() {
    return running()
        && endAt == DurationRule.NEVER_MILLIS
        && how.message() == null
        && !Boolean.FALSE.equals(record.ready())
        && record.started() == null
        && record.attempt() == 0
        && previous == null
        && !stopping
        && stop == Plan.Stop.AT_ONCE
        && checks == null
        && consumption.equals(Consumption.UNSET);
  }

  ContainerRecord record() {
    return record;
  }

  /** Returns the container's previous instance if it is still remembered. */
  @Nullable Instance previous() {
    return previous;
  }

  /** Links the container's previous instance. */
  void follow(@Nullable Instance before) {
    previous = before;
  }

  /** Returns its resource usage while it runs. */
  Consumption consumption() {
    return consumption;
  }

  /** Returns the start of usage accounting in whole seconds, which survive a restart. */
  long measuredFrom() {
    return startAt - Math.floorMod(startAt, 1000L);
  }

  /** Returns the CPU usage of the running instance in billionths of a core. */
  long nanoCores(long now) {
    return cpu().at(measuredFrom(), now);
  }

  /**
   * Returns, in a kubelet's words, why the running instance cannot have this memory limit; null
   * when it can. An instance without a memory setting uses none.
   *
   * @param limit quantity; null for no limit
   */
  @Nullable String memoryRefusal(@Nullable String limit, long now) {
    long bytes = limit == null ? Long.MAX_VALUE : Quantities.units(limit);
    long used = UsageMeter.rule(consumption.memory()).at(measuredFrom(), now);
    return used < bytes
        ? null
        : "cannot decrease memory limits: attempting to set container \"%s\" memory limit (%d) below"
                .formatted(record.name(), bytes)
            + " current usage (%d)".formatted(used);
  }

  /** Returns the CPU time of the instance up to {@code now} or its end, in nanoseconds. */
  long nanoSeconds(long now) {
    return created() || startAt == 0
        ? 0
        : cpu().total(measuredFrom(), ended() ? Math.min(now, endAt) : now);
  }

  private UsageRule cpu() {
    UsageRule own = consumption.cpu();
    return own == null ? UsageMeter.rule(Consumption.IDLE.cpu()) : own;
  }

  /** Answers a probe of the running instance. */
  ProbeScript.Answer probe(ProbeKind kind, long now) {
    return checks == null ? ProbeScript.Answer.OK : checks.probe(kind, now - startAt);
  }

  /** Returns the script of a hook; null for a hook that succeeds at once. */
  @Nullable HookScript hook(HookRequest.Moment moment) {
    return checks == null ? null : checks.hook(moment);
  }

  boolean created() {
    return record.state() instanceof ContainerStateView.Waiting;
  }

  boolean running() {
    return record.running();
  }

  boolean ended() {
    return record.state() instanceof ContainerStateView.Terminated;
  }

  @Override
  long deadline() {
    if (ended()) {
      return DurationRule.NEVER_MILLIS;
    }
    if (created()) {
      return startAt;
    }
    return Boolean.FALSE.equals(record.ready()) ? Math.min(readyAt, endAt) : endAt;
  }

  /** Applies the next due change; more may be due. */
  Change step(long now) {
    if (ended() || deadline() > now) {
      return Change.NONE;
    }
    if (created()) {
      start();
      return Change.STARTED;
    }
    if (endAt <= now && (endAt <= readyAt || !Boolean.FALSE.equals(record.ready()))) {
      end(endAt);
      return Change.ENDED;
    }
    record = with(record.state(), true);
    return Change.READY;
  }

  /**
   * Sends TERM now and KILL after {@code grace}; the instance may outlive both for a while. A
   * repeated call can only bring the end forward. Only for a running instance; {@link #step} ends
   * it.
   */
  void terminate(long now, Duration grace) {
    if (!stopping && !grace.isZero()) {
      endNoLaterThan(Plan.after(now, stop.termDelay()), Plan.End.DONE);
    }
    stopping = true;
    long killedAt = now + Math.min(grace.toMillis(), DurationRule.LONGEST.toMillis());
    endNoLaterThan(Plan.after(killedAt, stop.killDelay()), Plan.End.KILLED);
  }

  /** Ends a running instance with its sandbox: kills it at once, unless its own end was due. */
  void kill(long now) {
    endNoLaterThan(now, Plan.End.KILLED);
    end(endAt);
  }

  private void endNoLaterThan(long at, Plan.End end) {
    if (at < endAt) {
      endAt = at;
      how = end.leaving(how.message());
    }
  }

  private void start() {
    record =
        with(new ContainerStateView.Running(seconds(startAt)), readyAt > startAt ? false : null);
  }

  private void end(long at) {
    Instant startedAt =
        record.state() instanceof ContainerStateView.Running state ? state.startedAt() : null;
    record =
        with(
            new ContainerStateView.Terminated(
                how.exitCode(), 0, reason(), how.message(), startedAt, seconds(at), record.id()),
            record.ready() == null ? null : false);
  }

  private String reason() {
    if (how.oom()) {
      return OOM_KILLED;
    }
    return how.exitCode() == 0 ? COMPLETED : ERROR;
  }

  private ContainerRecord with(ContainerStateView state, @Nullable Boolean ready) {
    return new ContainerRecord(
        record.id(),
        record.name(),
        record.attempt(),
        record.image(),
        record.imageId(),
        state,
        record.started(),
        ready,
        record.user());
  }

  /** Truncates to whole seconds, the API's resolution. */
  private static Instant seconds(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS);
  }
}
