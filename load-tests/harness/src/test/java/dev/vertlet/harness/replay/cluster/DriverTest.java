package dev.vertlet.harness.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.replay.plan.Step;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DriverTest {
  /** Time that moves only when a test moves it. */
  private static final class VirtualTime implements Driver.Timers {
    private record Timer(long at, long number, Runnable task) implements Comparable<Timer> {
      @Override
      public int compareTo(Timer other) {
        return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
      }
    }

    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private long now = 1_000_000;
    private long set;

    @Override
    public long now() {
      return now;
    }

    @Override
    public void after(long millis, Runnable task) {
      assertThat(millis).isPositive();
      timers.add(new Timer(now + millis, set++, task));
    }

    void pass(long millis) {
      long end = now + millis;
      while (!timers.isEmpty() && timers.peek().at <= end) {
        Timer timer = timers.poll();
        now = Math.max(now, timer.at);
        timer.task.run();
      }
      now = end;
    }

    /** The event loop is busy: timers fire late. */
    void stall(long millis) {
      now += millis;
    }
  }

  private final VirtualTime time = new VirtualTime();
  private final List<String> made = new ArrayList<>();
  private final Map<String, Promise<Void>> answers = new HashMap<>();

  private Future<Void> perform(Step step) {
    made.add(step.subject() + " at " + (time.now() - 1_000_000));
    Promise<Void> answer = answers.get(step.subject());
    return answer == null ? Future.succeededFuture() : answer.future();
  }

  private static Step leaves(long at, String node) {
    return new Step.NodeLeaves(at, node);
  }

  private Driver driver(Step... steps) {
    return new Driver(List.of(steps), time, this::perform);
  }

  @Test
  @Tag("Q01")
  void stepsAreMadeWhenTheyAreDue() {
    Driver driver = driver(leaves(0, "a"), leaves(250, "b"), leaves(250, "c"), leaves(900, "d"));

    Future<Void> run = driver.run(1_000);
    time.pass(999);

    assertThat(made)
        .containsExactly("node a at 0", "node b at 250", "node c at 250", "node d at 900");
    assertThat(run.isComplete()).isFalse();
    time.pass(1);
    assertThat(run.succeeded()).isTrue();
    assertThat(driver.lateness().max()).isZero();
  }

  @Test
  void stepsOfOneSubjectWaitForOneAnother() {
    answers.put("node a", Promise.promise());
    Driver driver = driver(leaves(0, "a"), leaves(100, "a"), leaves(100, "b"));

    driver.run(1_000);
    time.pass(300);
    assertThat(made).containsExactly("node a at 0", "node b at 100");

    answers.remove("node a").complete();

    assertThat(made).last().isEqualTo("node a at 300");
    assertThat(driver.lateness().max()).isBetween(199.0, 201.0);
  }

  @Test
  void latenessOfABusyDriverIsCounted() {
    Driver driver = driver(leaves(100, "a"), leaves(200, "b"));

    driver.run(1_000);
    time.stall(700);
    time.pass(1);

    assertThat(driver.lateness().count()).isEqualTo(2);
    assertThat(driver.lateness().max()).isBetween(599.0, 601.0);
  }

  @Test
  @Tag("Q08")
  void waitingForAPlaceInTheWindowIsLateness() {
    List<Step> steps = new ArrayList<>();
    Promise<Void> first = Promise.promise();
    for (int i = 0; i <= Driver.WINDOW; i++) {
      steps.add(leaves(0, "n" + i));
      answers.put("node n" + i, i == 0 ? first : Promise.promise());
    }
    Driver driver = new Driver(steps, time, this::perform);

    driver.run(10_000);
    time.pass(300);
    assertThat(made).hasSize(Driver.WINDOW);

    first.complete();

    assertThat(made).hasSize(Driver.WINDOW + 1);
    assertThat(driver.lateness().max()).isBetween(299.0, 301.0);
  }

  @Test
  @Tag("Q08")
  void aDriverThatFallsBehindSaysSo() {
    Driver driver = driver(leaves(100, "a"), leaves(200, "b"));

    driver.run(2_000);
    time.pass(250);
    assertThat(driver.behind()).isEmpty();
    driver = driver(leaves(100, "a"), leaves(200, "b"));
    driver.run(2_000);
    time.stall(700);
    time.pass(1);

    assertThat(driver.behind())
        .hasValue(
            "the driver fell behind: 99 % of the steps were at most 0.6 s late,"
                + " 30.0 % of the replay's 2.0 s");
  }

  @Test
  void aFailedStepIsNotedAndTheOthersGoOn() {
    answers.put("node a", Promise.promise());
    answers.get("node a").fail("the server said no");
    Driver driver = driver(leaves(0, "a"), leaves(10, "a"), leaves(20, "b"));

    driver.run(1_000);
    time.pass(1_000);

    assertThat(made).hasSize(3);
    assertThat(driver.failures()).isEqualTo(2);
    assertThat(driver.firstFailures().get(0)).isEqualTo("NodeLeaves of node a: the server said no");
  }

  @Test
  void afterAStopNothingIsMade() {
    Driver driver = driver(leaves(0, "a"), leaves(100, "b"));

    Future<Void> run = driver.run(1_000);
    driver.stop();
    time.pass(2_000);

    assertThat(made).containsExactly("node a at 0");
    assertThat(run.succeeded()).isTrue();
  }

  @Test
  void theReplayEndsAtItsEndWhetherOrNotAllAnswersAreThere() {
    answers.put("node a", Promise.promise());
    Driver driver = driver(leaves(0, "a"), leaves(10, "a"));

    Future<Void> run = driver.run(500);
    time.pass(500);

    assertThat(run.succeeded()).isTrue();
    assertThat(driver.done()).isEqualTo(1);
    assertThat(driver.all()).isEqualTo(2);
  }
}
