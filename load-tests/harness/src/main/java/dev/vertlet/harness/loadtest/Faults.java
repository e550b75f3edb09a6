package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.cluster.ControlPlane;
import dev.vertlet.harness.fault.Fault;
import dev.vertlet.harness.fault.FaultProxy;
import dev.vertlet.harness.fault.InjectedFault;
import dev.vertlet.harness.fault.RequestMatcher;
import dev.vertlet.harness.scenario.ScheduledFault.CutWatches;
import dev.vertlet.harness.scenario.ScheduledFault.Errors;
import dev.vertlet.harness.scenario.ScheduledFault.Freeze;
import dev.vertlet.harness.scenario.ScheduledFault.Kind;
import dev.vertlet.harness.scenario.ScheduledFault.Latency;
import dev.vertlet.harness.scenario.ScheduledFault.Refuse;
import dev.vertlet.harness.scenario.ScheduledFault.RestartApiServer;
import dev.vertlet.harness.scenario.ScheduledFault.RestartSubject;
import dev.vertlet.harness.subject.Subject;
import dev.vertlet.model.GoDuration;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Injects the faults of a run.
 *
 * @param proxy proxy between subject and API server; present if a fault needs it
 * @param plane control plane of the run; present if it is local
 * @param beforeStart runs before the subject is started again; may block
 * @param afterOutage called with its length when the subject can reach the API server again; may
 *     block
 */
record Faults(
    Optional<FaultProxy> proxy,
    Optional<ControlPlane> plane,
    Subject subject,
    Runnable beforeStart,
    Consumer<Duration> afterOutage) {
  /** Step of a fault; may block. */
  interface Step {
    void run() throws InterruptedException;
  }

  /** Schedule on which faults run their steps. */
  interface Stage {
    /** Records what happened now. */
    void happened(String what);

    /** Runs a step after a delay. */
    void later(Duration delay, Step step);

    /** Fails the run when the Future fails. */
    void begun(Future<?> work);

    /** Runs a step on the API server after the steps submitted before. */
    void onApiServer(Step step);

    /** Runs a step on the subject after the steps submitted before. */
    void onSubject(Step step);
  }

  /** Whether the fault needs a proxy. */
  static boolean needsProxy(Kind kind) {
    return !(kind instanceof RestartApiServer || kind instanceof RestartSubject);
  }

  /** Whether the subject can reach the API server in no way while the fault is in force. */
  static boolean isOutage(Kind kind) {
    return kind instanceof Refuse
        || kind instanceof Freeze
        || kind instanceof RestartApiServer
        || (kind instanceof Errors errors && isAll(errors));
  }

  private static boolean isAll(Errors errors) {
    return errors.share() == 1 && errors.verb().equals("*") && errors.resource().equals("*");
  }

  /** Starts a fault, which ends by itself. */
  void apply(Kind kind, Stage stage) {
    if (kind instanceof Latency latency) {
      inject(
          stage,
          new Fault(
              new Fault.Delay(latency.by()),
              new RequestMatcher(latency.verb(), latency.resource()),
              latency.share(),
              Long.MAX_VALUE),
          latency.lasting(),
          "requests late by " + GoDuration.format(latency.by()),
          () -> {});
    } else if (kind instanceof Errors errors) {
      inject(
          stage,
          new Fault(
              new Fault.Answer(
                  errors.code(), errors.retryAfter().isZero() ? null : errors.retryAfter()),
              new RequestMatcher(errors.verb(), errors.resource()),
              errors.share(),
              Long.MAX_VALUE),
          errors.lasting(),
          "requests answered with " + errors.code(),
          isOutage(errors) ? () -> afterOutage.accept(errors.lasting()) : () -> {});
    } else if (kind instanceof CutWatches) {
      stage.begun(the(proxy).cutWatches().onSuccess(cut -> stage.happened("watches cut: " + cut)));
    } else if (kind instanceof Refuse refuse) {
      stage.happened("connections refused for " + GoDuration.format(refuse.lasting()));
      stage.begun(the(proxy).refuse());
      stage.later(refuse.lasting(), () -> end(stage, the(proxy).accept(), refuse.lasting()));
    } else if (kind instanceof Freeze freeze) {
      stage.happened("connections frozen for " + GoDuration.format(freeze.lasting()));
      stage.begun(the(proxy).freeze());
      stage.later(freeze.lasting(), () -> end(stage, the(proxy).thaw(), freeze.lasting()));
    } else if (kind instanceof RestartApiServer restart) {
      stage.onApiServer(() -> restartApiServer(restart.down(), stage));
    } else if (kind instanceof RestartSubject restart) {
      stage.onSubject(() -> restartSubject(restart, stage));
    }
  }

  private void end(Stage stage, Future<?> ending, Duration lasting) {
    stage.begun(ending);
    afterOutage.accept(lasting);
  }

  private void inject(
      Stage stage, Fault fault, Duration lasting, String what, Runnable afterwards) {
    stage.happened(
        "%s for %s: %.0f %% of %s %s"
            .formatted(
                what,
                GoDuration.format(lasting),
                fault.probability() * 100,
                fault.on().verb(),
                fault.on().resource()));
    InjectedFault injected = the(proxy).inject(fault);
    stage.later(
        lasting,
        () -> {
          injected.remove();
          afterwards.run();
          stage.happened("over: %s, of %d requests".formatted(what, injected.hits()));
        });
  }

  private void restartApiServer(Duration down, Stage stage) throws InterruptedException {
    stage.happened("API server killed");
    the(plane).killApiServer();
    Thread.sleep(down.toMillis());
    the(plane).restartApiServer();
    stage.happened("API server serves again");
    afterOutage.accept(down);
  }

  private void restartSubject(RestartSubject restart, Stage stage) throws InterruptedException {
    if (restart.orderly()) {
      stage.happened("subject told to end");
      subject.terminate();
    } else {
      stage.happened("subject killed");
      subject.kill();
    }
    Thread.sleep(restart.down().toMillis());
    beforeStart.run();
    subject.start();
    stage.happened("subject started again");
  }

  private static <T> T the(Optional<T> needed) {
    return needed.orElseThrow(() -> new IllegalStateException("a fault without its means"));
  }
}
