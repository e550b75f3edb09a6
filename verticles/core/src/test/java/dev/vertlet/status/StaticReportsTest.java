package dev.vertlet.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.testing.TestPods;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** kubelet §11.4: the status of a static pod goes to its mirror. */
class StaticReportsTest {
  private static final PodView WEB = TestPods.pod("web").at(0).view();

  private final StaticReports statics = new StaticReports();

  private static PodReport report(PodPhase phase) {
    return new PodReport(WEB.ref(), "node", TestPods.status(phase), false);
  }

  private static StatusEntry mirror(PodPhase phase, @Nullable String reason) {
    return mirror("web", phase, reason);
  }

  private static StatusEntry mirror(String name, PodPhase phase, @Nullable String reason) {
    return new StatusEntry(TestPods.mirror(WEB, name, "uid-mirror", phase, reason));
  }

  @Test
  void onlyStaticPodsAreShownByMirrors() {
    StatusEntry mirror = mirror(PodPhase.PENDING, null);
    assertThat(statics.mirrored(mirror)).isNull();
    assertThat(statics.reported(report(PodPhase.RUNNING))).isNull();
    statics.add(WEB.ref());
    assertThat(statics.reported(report(PodPhase.RUNNING))).isSameAs(mirror);
    assertThat(statics.mirrored(new StatusEntry(WEB))).isNull();
  }

  @Test
  void aCopyOfAMirrorIsNoMirror() {
    statics.add(WEB.ref());
    StatusEntry mirror = mirror(PodPhase.PENDING, null);
    StatusEntry copy = mirror("copy", PodPhase.SUCCEEDED, null);
    statics.mirrored(mirror);
    statics.mirrored(copy);
    PodReport running = report(PodPhase.RUNNING);
    assertThat(statics.reported(running)).isSameAs(mirror);
    statics.gone(copy);
    assertThat(statics.mirrored(copy)).isNull();
    assertThat(statics.reported(running)).isSameAs(mirror);
  }

  @Test
  void aMirrorThatComesLaterIsToldTheNewestReportOnce() {
    statics.add(WEB.ref());
    assertThat(statics.reported(report(PodPhase.PENDING))).isNull();
    PodReport newest = report(PodPhase.RUNNING);
    assertThat(statics.reported(newest)).isNull();
    StatusEntry mirror = mirror(PodPhase.PENDING, null);
    assertThat(statics.mirrored(mirror)).isSameAs(newest);
    assertThat(statics.mirrored(mirror)).isNull();
  }

  @Test
  void endedIsEnded() {
    StatusEntry mirror = mirror(PodPhase.PENDING, null);
    statics.mirrored(mirror);
    statics.add(WEB.ref());
    assertThat(statics.reported(report(PodPhase.SUCCEEDED))).isSameAs(mirror);
    assertThat(statics.reported(report(PodPhase.RUNNING))).isNull();
    assertThat(statics.reported(report(PodPhase.SUCCEEDED))).isSameAs(mirror);
    statics.begin("other");
    assertThat(statics.reported(report(PodPhase.RUNNING))).isNull();
    statics.begin("node");
    assertThat(statics.reported(report(PodPhase.RUNNING))).isSameAs(mirror);
  }

  @Test
  void theNextMirrorShowsAPodThatHadEndedAsTheLastOneDid() {
    statics.add(WEB.ref());
    StatusEntry first = mirror(PodPhase.SUCCEEDED, null);
    statics.mirrored(first);
    statics.gone(first);
    assertThat(statics.mirrored(mirror(PodPhase.PENDING, null)))
        .isEqualTo(report(PodPhase.SUCCEEDED));
  }

  @Test
  void theNextMirrorKnowsNothingOfAPodThatRunsOrIsTriedAnew() {
    statics.add(WEB.ref());
    for (StatusEntry first :
        List.of(mirror(PodPhase.RUNNING, null), mirror(PodPhase.FAILED, "OutOfcpu"))) {
      statics.mirrored(first);
      statics.gone(first);
      assertThat(statics.mirrored(mirror(PodPhase.PENDING, null))).isNull();
    }
  }

  @Test
  void whatIsGoneIsForgotten() {
    statics.add(WEB.ref());
    statics.reported(report(PodPhase.RUNNING));
    StatusEntry first = mirror(PodPhase.SUCCEEDED, null);
    StatusEntry second = mirror(PodPhase.SUCCEEDED, null);
    statics.mirrored(first);
    statics.mirrored(second);
    statics.gone(first);
    statics.gone(WEB.ref());
    statics.gone(second);
    statics.gone(new StatusEntry(WEB));
    assertThat(statics.mirrored(mirror(PodPhase.PENDING, null))).isNull();
  }
}
