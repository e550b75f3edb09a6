package dev.vertlet.status;

import static dev.vertlet.testing.TestPods.pod;
import static dev.vertlet.testing.TestPods.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.RequestScope;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.failure.RetryPolicy;
import dev.vertlet.testing.Fakes;
import dev.vertlet.testing.Scenario;
import dev.vertlet.testing.Statuses;
import dev.vertlet.testing.TestPods;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusEntryTest {
  private final Random random = new Random(1);
  private final StatusEntry entry = new StatusEntry(pod("a").at(1).view());
  private final Map<String, RequestScope> terms = new HashMap<>();
  private StatusRetries retries = StatusRetries.DEFAULTS;
  private boolean brief;
  private boolean stepwise;
  private long now;

  /** Words with a capital are the entry's next step; the others are what happens to the pod. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          writes nothing that the server already holds | report:PENDING Idle
          writes the newest of what came during a request | report:RUNNING Patch report:FAILED report:SUCCEEDED Idle patched:2 Patch:Succeeded,!Failed
          an echo of an older state causes no write | report:RUNNING Patch patched:5 seen:3 Idle
          c14 a status that somebody else changed is put right once | report:RUNNING Patch patched:5 seen:6 Patch patched:7 Idle
          an answer older than the watch does not hide what the watch saw | report:RUNNING Patch seen:9 patched:8 Patch
          its own write does not hide what the watch had not brought yet | report:RUNNING Patch patched:5 seen:4 Idle seen:5 Patch
          reads the object before another status after a broken connection | report:RUNNING Patch fails:TRANSPORT report:PENDING later Reread reread:2,RUNNING later Patch:Pending
          reads the object before another status after a time-out | report:RUNNING Patch fails:TIMEOUT report:PENDING later Reread reread:2,RUNNING later Patch:Pending
          reads the object before another status after a server's error | report:RUNNING Patch fails:SERVER_ERROR report:PENDING later Reread reread:2,RUNNING later Patch:Pending
          the same status is written again without reading | report:RUNNING Patch fails:TRANSPORT later Patch patched:3 report:SUCCEEDED Patch
          removes the object of a deleted pod only after its final status | deleted:2 finished:SUCCEEDED Patch patched:3 Delete removed Idle
          skips the final status where it is to be brief | brief deleted:2 finished:SUCCEEDED Delete
          a finished pod that nobody deleted stays | finished:SUCCEEDED Patch patched:2 Idle
          c11 terminal phases are final | seen:2,SUCCEEDED report:RUNNING Idle
          c65 retries with the newest status until it lands | report:RUNNING Patch fails:THROTTLED Wait Patch fails:THROTTLED Wait Patch fails:THROTTLED Wait report:SUCCEEDED Patch:Succeeded
          a conflict is looked into before the next try | report:RUNNING Patch fails:CONFLICT later Reread reread:1 later Patch
          a status that the server refuses is not sent again | report:RUNNING Patch fails:INVALID later Reread refused:1 Idle report:FAILED Patch
          a refusal because the pod was replaced ends the writes | report:RUNNING Patch fails:INVALID later Reread removed Idle
          a kubelet writes a state that was overtaken first | stepwise report:RUNNING report:SUCCEEDED Patch:Running patched:2 Patch:Succeeded patched:3 Idle
          a kubelet writes what was overtaken during a request | stepwise report:RUNNING Patch report:FAILED report:SUCCEEDED patched:2 Patch:Failed patched:3 Idle
          a state that the server shows by now is no step | stepwise report:RUNNING report:RUNNING seen:5,RUNNING Idle
          a late kubelet writes the newest alone | stepwise report:RUNNING report:SUCCEEDED Patch:Running fails:THROTTLED Wait Patch:Succeeded
          of what comes while it waits, too | stepwise report:RUNNING Patch:Running fails:THROTTLED Wait report:FAILED report:SUCCEEDED Patch:Succeeded
          a deleted pod's end needs no steps | stepwise deleted:2 report:RUNNING finished:SUCCEEDED Patch:Succeeded patched:3 Delete
          steps of an earlier term of the lease are forgotten | stepwise term:1 report:RUNNING report:SUCCEEDED term:2 Idle
          a policy may give up a status until the next report | tries:2 report:RUNNING Patch fails:THROTTLED Wait Patch fails:THROTTLED Idle later Idle report:RUNNING Patch fails:THROTTLED Wait
          a status that was given up is written when it is enqueued | tries:1 report:RUNNING Patch fails:THROTTLED Idle seen:2 Idle enqueued Patch:Running patched:3 Idle
          a status that was given up is written in the next term | tries:1 term:1 report:RUNNING Patch fails:THROTTLED Idle term:2 report:RUNNING Patch
          an enqueue ends the wait of a status | report:RUNNING Patch fails:THROTTLED enqueued Patch
          a policy of deletions says nothing about statuses | removals:1 report:RUNNING Patch fails:THROTTLED Wait Patch
          a policy may give up the deletion of an object | removals:1 deleted:2 finished:SUCCEEDED Patch patched:3 Delete fails:THROTTLED Idle later Idle deletion Delete removed Idle
          a policy of statuses says nothing about deletions | tries:1 deleted:2 finished:SUCCEEDED Patch patched:3 Delete fails:THROTTLED Wait Delete
          deletes the object of a running pod that is enqueued | report:RUNNING deletion Delete removed Idle
          a deletion that is enqueued does not wait for the back-off of a status | report:RUNNING Patch fails:THROTTLED deletion Delete
          a deletion that is forgotten is not sent | deletion noDeletion Idle
          a deletion that is forgotten is not repeated | deletion Delete fails:THROTTLED noDeletion later Idle deletion Delete
          the deletion of an ended pod can be forgotten, too | deleted:2 finished:SUCCEEDED Patch patched:3 Delete fails:THROTTLED noDeletion later Idle deletion Delete
          a deletion is forgotten with its term of the lease | term:1 deletion term:2 Idle
          a deletion that finds another pod ends the writes | deletion Delete fails:CONFLICT later Reread removed Idle
          forgets what was wanted in an earlier term of the lease | term:1 report:RUNNING term:1 Patch patched:2 finished:SUCCEEDED term:2 Idle
          """)
  @Tag("C11")
  @Tag("C14")
  @Tag("C65")
  void writesOneStatusAfterTheOther(String behaviour, String line) {
    Scenario.play(line, this::step);
  }

  private void step(String word, String argument) {
    switch (word) {
      case "report" -> report(PodPhase.valueOf(argument), false);
      case "finished" -> report(PodPhase.valueOf(argument), true);
      case "seen" -> entry.observed(seen(argument).view());
      case "deleted" -> entry.observed(seen(argument).deleted(30).view());
      case "patched" -> entry.patched(Long.parseLong(argument));
      case "fails" -> entry.failed(failure(Kind.valueOf(argument)), now, retries, random);
      case "tries" -> retries = new StatusRetries(upTo(argument), StatusRetries.ENDLESS);
      case "removals" -> retries = new StatusRetries(StatusRetries.ENDLESS, upTo(argument));
      case "enqueued" -> entry.enqueued(now);
      case "deletion" -> entry.enqueueDeletion(now);
      case "noDeletion" -> entry.forgetDeletion();
      case "reread" -> assertThat(entry.reread(seen(argument).view())).isNull();
      case "refused" -> assertThat(entry.reread(seen(argument).view())).isNotNull();
      case "removed" -> entry.removed();
      case "term" -> entry.wipeEarlierTerm(term(argument));
      case "brief" -> brief = true;
      case "stepwise" -> stepwise = true;
      case "later" -> now += Duration.ofHours(1).toNanos();
      default -> wants(word, argument);
    }
  }

  private static RetryPolicy upTo(String tries) {
    return RetryPolicy.exponential(
        Duration.ofSeconds(1), Duration.ofSeconds(9), 0, Integer.parseInt(tries));
  }

  private RequestScope term(String number) {
    return terms.computeIfAbsent(
        number, n -> Fakes.answering(RequestScope.class, (method, arguments) -> null));
  }

  private void wants(String step, String text) {
    StatusAction next = entry.next(brief, now);
    assertThat(next.getClass().getSimpleName()).isEqualTo(step);
    if (next instanceof StatusAction.Wait wait) {
      assertThat(wait.delay()).isPositive();
      now += wait.delay().toNanos();
    } else if (next instanceof StatusAction.Patch patch && !text.isEmpty()) {
      String body = patch.body().toString();
      for (String part : text.split(",")) {
        assertThat(body.contains(part.replace("!", ""))).as(body).isEqualTo(!part.startsWith("!"));
      }
    }
  }

  /** Written as a version, or as a version and a phase. */
  private static TestPods seen(String text) {
    String[] parts = text.split(",");
    TestPods seen = pod("a").at(Long.parseLong(parts[0]));
    return parts.length == 1 ? seen : seen.in(PodPhase.valueOf(parts[1]));
  }

  /**
   * Whoever else holds the pod holds what the watch brought: of two that say the same, one goes.
   */
  @Test
  void holdsWhatTheWatchBroughtWhetherThatOrTheAnswerCameFirst() {
    report(PodPhase.RUNNING, false);
    entry.next(false, now);
    PodStatusView brought = pod("a").in(PodPhase.RUNNING).at(5).view().status();
    entry.observed(pod("a").in(PodPhase.RUNNING).at(5).view().withStatus(brought));
    entry.patched(5);
    assertThat(entry.known()).isSameAs(brought);

    PodStatusView again = pod("a").in(PodPhase.RUNNING).at(5).view().status();
    entry.observed(pod("a").at(5).view().withStatus(again));

    assertThat(entry.known()).isSameAs(again);
    assertThat(entry.next(false, now)).isInstanceOf(StatusAction.Idle.class);
  }

  @Test
  void aPodThatSomebodyElseEndedShowsHowItsContainersEnded() {
    entry.observed(pod("a").in(PodPhase.FAILED).at(2).view());
    ContainerStatusView container =
        new ContainerStatusView(
            "main",
            "image",
            "id",
            "c-1",
            0,
            false,
            false,
            new ContainerStateView.Terminated(0, 0, "Completed", null, null, null, "c-1"),
            null);
    entry.reported(
        new PodReport(
            TestPods.pod("a").ref(),
            "node",
            Statuses.in(PodPhase.SUCCEEDED).containers(List.of(container)).build(),
            true),
        false);
    StatusAction.Patch patch = (StatusAction.Patch) entry.next(false, now);
    assertThat(patch.body().toString()).contains("Completed").doesNotContain("phase");
    entry.patched(3);
    assertThat(entry.next(false, now)).isInstanceOf(StatusAction.Idle.class);
  }

  private void report(PodPhase phase, boolean finished) {
    entry.reported(
        new PodReport(TestPods.pod("a").ref(), "node", status(phase), finished), stepwise);
  }

  private static KubeException failure(Kind kind) {
    return new KubeException(kind, 500, "test", null, null);
  }
}
