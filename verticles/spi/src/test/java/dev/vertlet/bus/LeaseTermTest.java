package dev.vertlet.bus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeaseTermTest {
  private final LeaseTerm term = new LeaseTerm();

  @Test
  void isActiveOnceTheLeaseIsHeldAndThePodsAreListed() {
    assertThat(term.acquired(0)).isFalse();
    assertThat(term.active()).isFalse();
    assertThat(term.synced(0)).isTrue();
    assertThat(term.active()).isTrue();
    assertThat(term.synced(0)).isFalse();
  }

  @Test
  void aListThatIsThereBeforeTheLeaseCounts() {
    assertThat(term.synced(0)).isFalse();
    assertThat(term.acquired(0)).isTrue();
  }

  @Test
  void aListOfAnEarlierTermDoesNotCount() {
    term.synced(0);
    term.acquired(0);
    assertThat(term.lost()).isTrue();
    assertThat(term.lost()).isFalse();
    assertThat(term.active()).isFalse();
    assertThat(term.acquired(1)).isFalse();
    assertThat(term.synced(0)).isFalse();
    assertThat(term.synced(1)).isTrue();
  }

  @Test
  void theListOfTheSameTermCountsOn() {
    term.synced(1);
    term.acquired(1);
    term.lost();
    assertThat(term.acquired(1)).isTrue();
  }
}
