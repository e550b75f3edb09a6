package dev.vertlet.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageReferenceTest {
  private static final String HEX = "0123456789abcdef".repeat(4);
  private static final String DIGEST = "sha256:" + HEX;

  @ParameterizedTest
  @CsvSource({
    "ubuntu, docker.io/library/ubuntu:latest",
    "ubuntu:22.04, docker.io/library/ubuntu:22.04",
    "grafana/grafana, docker.io/grafana/grafana:latest",
    "docker.io/nginx, docker.io/library/nginx:latest",
    "index.docker.io/nginx, docker.io/library/nginx:latest",
    "index.docker.io/a/b:1, docker.io/a/b:1",
    "localhost/a, localhost/a:latest",
    "localhost:5000/a:1, localhost:5000/a:1",
    "registry:5000/a, registry:5000/a:latest",
    "Registry/a, Registry/a:latest",
    "[::1]:5000/a, [::1]:5000/a:latest",
    "10.0.0.1/a/b/c:v1.2-3_4, 10.0.0.1/a/b/c:v1.2-3_4",
    "registry.example/a__b/c-d/e.f/g_h:1, registry.example/a__b/c-d/e.f/g_h:1",
    "a/b:_1, docker.io/a/b:_1",
    "registry.example/a--b, registry.example/a--b:latest"
  })
  void shorthandIsWrittenOut(String text, String whole) {
    ImageReference read = ImageReference.parse(text);

    assertThat(read).hasToString(whole);
    assertThat(ImageReference.parse(whole)).isEqualTo(read);
    assertThat(read.selector()).isEqualTo(read.tag());
  }

  @Test
  void aDigestStandsForTheTag() {
    ImageReference bare = ImageReference.parse("a.example/b@" + DIGEST);
    ImageReference both = ImageReference.parse("a.example/b:1@" + DIGEST);

    assertThat(bare.tag()).isEmpty();
    assertThat(bare.selector()).isEqualTo(DIGEST);
    assertThat(bare).hasToString("a.example/b@" + DIGEST);
    assertThat(both.tag()).isEqualTo("1");
    assertThat(both.selector()).isEqualTo(DIGEST);
    assertThat(both).hasToString("a.example/b:1@" + DIGEST);
    assertThat(both.registry()).isEqualTo("a.example");
    assertThat(both.repository()).isEqualTo("b");
  }

  @ParameterizedTest
  @CsvSource({
    "'', must have 1 to 512 characters",
    "a@, the digest after @",
    "a@sha256:abc, the digest after @",
    "a@md5, the digest after @",
    "a:, the tag must be",
    "a:-1, the tag must be",
    "a:b c, the tag must be",
    "Ubuntu, the repository must be",
    "a b, the repository must be",
    "a//b, the repository must be",
    "a/, the repository must be",
    "/a, the repository must be",
    "a..b/c, is no host of a registry",
    "a___b, the repository must be",
    "a-/b, the repository must be",
    "-a.b/c, is no host of a registry",
    "a.b-/c, is no host of a registry",
    "a.b:port/c, is no host of a registry",
    "a.b:123456/c, is no host of a registry",
    "[::g]/c, is no host of a registry",
    "https://a.b/c, is no host of a registry"
  })
  void whatIsNoneIsNamedWithWhatIsWrong(String text, String why) {
    assertThatThrownBy(() -> ImageReference.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("\"" + text + "\" is no reference of an image: ")
        .hasMessageContaining(why);
  }

  @Test
  void lengthsAreLimited() {
    String name = "a".repeat(255 - "docker.io/library/".length());
    assertThat(ImageReference.parse(name + ":" + "t".repeat(128)).tag()).hasSize(128);
    assertThatThrownBy(() -> ImageReference.parse(name + "a"))
        .hasMessageContaining("the name must have at most 255 characters");
    assertThatThrownBy(() -> ImageReference.parse("a:" + "t".repeat(129)))
        .hasMessageContaining("the tag must be 1 to 128");
    assertThatThrownBy(() -> ImageReference.parse("a".repeat(100_000)))
        .hasMessageContaining("must have 1 to 512 characters")
        .hasMessageContaining("…")
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200));
  }

  @Test
  void whatWouldTakeLongIsRefusedQuickly() {
    for (String evil : new String[] {"a-", "a.", "a_", "a__", "-", "a-b."}) {
      String text = evil.repeat(512 / evil.length());
      assertThatThrownBy(() -> ImageReference.parse(text + "!"))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> ImageReference.parse(text.substring(0, 200) + "/!"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void sameIsWhatNamesTheSameImage() {
    assertThat(ImageReference.same("nginx", "docker.io/library/nginx:latest")).isTrue();
    assertThat(ImageReference.same("nginx", "nginx:1")).isFalse();
    assertThat(ImageReference.same("a.example/nginx", "nginx")).isFalse();
    assertThat(ImageReference.same("No Image", "No Image")).isTrue();
    assertThat(ImageReference.same("No Image", "no image")).isFalse();
    assertThat(ImageReference.same("nginx", "No Image")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "repo@", "docker-pullable://repo@", "a.example:5000/b/c:1@"})
  void theDigestOfAnImageIdIsFound(String before) {
    assertThat(ImageReference.digestOf(before + DIGEST)).contains(DIGEST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "repo:1",
        "repo@md5:0123456789abcdef0123456789abcdef",
        "sha256:zz",
        "repo@sha256:",
        "sha256:0123"
      })
  void anImageIdMayHaveNone(String imageId) {
    assertThat(ImageReference.digestOf(imageId)).isEmpty();
    assertThat(ImageReference.digestOf("a".repeat(512) + "@" + DIGEST)).isEmpty();
  }
}
