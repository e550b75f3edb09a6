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

  private final List<Comparison> told = new ArrayList<>();

  @Test
  void aRunThatFailedIsTheCauseWhateverTheReporterMakesOfTheOthers() {
    FailedException failure = new FailedException("the peer has ended");
    IllegalArgumentException half = new IllegalArgumentException("nobody measured the peer");

    assertThatThrownBy(
            () ->
                Comparing.told(
                    results -> {
                      results.accept(RUN);
                      throw failure;
                    },
                    comparison -> {
                      told.add(comparison);
                      throw half;
                    }))
        .isSameAs(failure)
        .hasSuppressedException(half);
    assertThat(told).containsExactly(new Comparison(List.of(RUN)));
  }

  @Test
  void withoutAResultThereIsNothingToTell() {
    FailedException failure = new FailedException("the peer has ended");

    assertThatThrownBy(
            () ->
                Comparing.told(
                    results -> {
                      throw failure;
                    },
                    told::add))
        .isSameAs(failure);
    assertThat(told).isEmpty();
  }

  @Test
  void allResultsAreToldAtOnce() throws Exception {
    Comparing.told(
        results -> {
          results.accept(RUN);
          results.accept(RUN);
        },
        told::add);

    assertThat(told).containsExactly(new Comparison(List.of(RUN, RUN)));
  }
}
