package dev.vertlet.harness.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CommandLineSplitterTest {
  @Test
  void spacesSeparateButNotWithinQuotes() {
    assertThat(CommandLineSplitter.of("  a --b='c d'\t\"e 'f'\"  '' g"))
        .containsExactly("a", "--b=c d", "e 'f'", "", "g");
    assertThat(CommandLineSplitter.of("")).isEmpty();
  }

  @Test
  void aQuoteHasToEnd() {
    assertThatThrownBy(() -> CommandLineSplitter.of("a 'b c"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"a 'b c\": a ' does not end");
  }
}
