package dev.vertlet.harness.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.RunResult;
import dev.vertlet.harness.result.SampleRuns;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparingTest {
  private static final RunResult RUN = SampleRuns.vertlet(1);

  private final List<Comparison> reported = new ArrayList<>();

  @Test
  void aRunThatFailedIsTheCauseWhateverTheReporterMakesOfTheOthers() {
    FailedException failure = new FailedException("the peer has ended");
    IllegalArgumentException half = new IllegalArgumentException("nobody measured the peer");

    assertThatThrownBy(
            () ->
                Comparing.reportAfter(
                    results -> {
                      results.accept(RUN);
                      throw failure;
                    },
                    comparison -> {
                      reported.add(comparison);
                      throw half;
                    }))
        .isSameAs(failure)
        .hasSuppressedException(half);
    assertThat(reported).containsExactly(new Comparison(List.of(RUN)));
  }

  @Test
  void withoutAResultThereIsNothingToTell() {
    FailedException failure = new FailedException("the peer has ended");

    assertThatThrownBy(
            () ->
                Comparing.reportAfter(
                    results -> {
                      throw failure;
                    },
                    reported::add))
        .isSameAs(failure);
    assertThat(reported).isEmpty();
  }

  @Test
  void allResultsAreToldAtOnce() throws Exception {
    Comparing.reportAfter(
        results -> {
          results.accept(RUN);
          results.accept(RUN);
        },
        reported::add);

    assertThat(reported).containsExactly(new Comparison(List.of(RUN, RUN)));
  }
}
