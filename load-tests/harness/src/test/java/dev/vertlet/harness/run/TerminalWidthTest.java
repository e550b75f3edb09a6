package dev.vertlet.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalWidthTest {
  @Test
  void readsColumns() {
    assertThat(TerminalWidth.parse("24 132\n")).isEqualTo(132);
  }

  @Test
  void takesTheUsualForWhatDoesNotTell() {
    assertThat(TerminalWidth.parse("0 0\n")).isEqualTo(80);
    assertThat(TerminalWidth.parse("")).isEqualTo(80);
    assertThat(TerminalWidth.parse("stty: not a tty")).isEqualTo(80);
  }
}
