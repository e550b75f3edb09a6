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

/**
 * What can go wrong in a run, and to whom it happens.
 *
 * @param proxy between subject and API server; there when a fault needs it
 * @param plane the same
 * @param beforeStart done when the subject is about to be started again; may block
 */
record Faults(
    Optional<FaultProxy> proxy,
    Optional<ControlPlane> plane,
    Subject subject,
    Runnable beforeStart) {
  /** Something to do; may block. */
  interface Step {
    void run() throws InterruptedException;
  }

  /** Where faults take place. */
  interface Stage {
    /** Tells what happened now. */
    void happened(String what);

    /** Does something after that time. */
    void later(Duration delay, Step step);

    /** The run fails with what that fails with. */
    void begun(Future<?> work);

    /** Does something with the API server, after whatever is done with it now. */
    void onApiServer(Step step);

    /** The same with the subject. */
    void onSubject(Step step);
  }

  /** Whether a proxy has to do it. */
  static boolean needsProxy(Kind kind) {
    return !(kind instanceof RestartApiServer || kind instanceof RestartSubject);
  }

  /** Begins a fault; it ends by itself. */
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
          "requests late by " + GoDuration.format(latency.by()));
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
          "requests answered with " + errors.code());
    } else if (kind instanceof CutWatches) {
      stage.begun(the(proxy).cutWatches().onSuccess(cut -> stage.happened("watches cut: " + cut)));
    } else if (kind instanceof Refuse refuse) {
      stage.happened("connections refused for " + GoDuration.format(refuse.lasting()));
      stage.begun(the(proxy).refuse());
      stage.later(refuse.lasting(), () -> stage.begun(the(proxy).accept()));
    } else if (kind instanceof Freeze freeze) {
      stage.happened("connections frozen for " + GoDuration.format(freeze.lasting()));
      stage.begun(the(proxy).freeze());
      stage.later(freeze.lasting(), () -> stage.begun(the(proxy).thaw()));
    } else if (kind instanceof RestartApiServer restart) {
      stage.onApiServer(() -> restartApiServer(restart.down(), stage));
    } else if (kind instanceof RestartSubject restart) {
      stage.onSubject(() -> restartSubject(restart, stage));
    }
  }

  private void inject(Stage stage, Fault fault, Duration lasting, String what) {
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
          stage.happened("over: %s, of %d requests".formatted(what, injected.hits()));
        });
  }

  private void restartApiServer(Duration down, Stage stage) throws InterruptedException {
    stage.happened("API server killed");
    the(plane).killApiServer();
    Thread.sleep(down.toMillis());
    the(plane).restartApiServer();
    stage.happened("API server serves again");
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
