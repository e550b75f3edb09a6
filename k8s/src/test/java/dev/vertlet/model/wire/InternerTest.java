package dev.vertlet.model.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class InternerTest {
  private final Interner interner = new Interner();

  @Test
  void givesOneStringForEqualBytesAndCharacters() {
    String first = string("node-1");
    assertThat(string("node-1")).isSameAs(first).isEqualTo("node-1");
    assertThat(interner.string("xnode-1".toCharArray(), 1, 6)).isSameAs(first);
  }

  @Test
  void keepsStringsOfOneHashApart() {
    // given: "Aa" and "BB" have one hash, and so has any concatenation of them
    String first = string("AaAa");

    String second = string("BBBB");
    String third = interner.string("AaBB".toCharArray(), 0, 4);

    assertThat(first).isEqualTo("AaAa");
    assertThat(second).isEqualTo("BBBB");
    assertThat(third).isEqualTo("AaBB");
  }

  @Test
  void readsOtherThanAsciiAndLongTextWithoutSharing() {
    String text = "\u00e9\u4e2d\uD83D\uDE00";
    String longText = "x".repeat(257);
    assertThat(string(text)).isEqualTo(text);
    assertThat(string(longText)).isEqualTo(longText).isNotSameAs(string(longText));
    assertThat(interner.string(longText.toCharArray(), 0, 257)).isEqualTo(longText);
    assertThat(string("")).isEmpty();
    assertThat(interner.string(new char[0], 0, 0)).isEmpty();
  }

  @Test
  void survivesMoreStringsThanItHasSlots() {
    for (int i = 0; i < 50_000; i++) {
      assertThat(string("name-" + i)).isEqualTo("name-" + i);
    }
  }

  @Test
  void sharesEqualValuesOnly() {
    List<String> first = interner.share(List.of("AaAa"));
    List<String> equal = interner.share(List.of("AaAa"));
    List<String> sameHash = interner.share(List.of("BBBB"));
    assertThat(equal).isSameAs(first);
    assertThat(sameHash).containsExactly("BBBB");
  }

  private String string(String text) {
    byte[] bytes = ("." + text).getBytes(UTF_8);
    return interner.string(bytes, 1, bytes.length - 1);
  }
}
