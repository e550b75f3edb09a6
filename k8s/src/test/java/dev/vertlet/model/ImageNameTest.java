package dev.vertlet.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageNameTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "nginx",
        "nginx:1.27",
        "registry.k8s.io/pause:3.10",
        "localhost:5000/team/app_x--y:v1",
        "[::1]:5000/app",
        "Registry.Example/app",
        "app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
      })
  void imageReferencesAreRecognised(String image) {
    assertThat(ImageName.isValid(image)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "UPPER", "a b", "a:", "a@sha256:12", "-a", "a/../b"})
  void whatIsNoImageReferenceIsRefused(String image) {
    assertThat(ImageName.isValid(image)).isFalse();
  }

  @Test
  void anEndlessImageReferenceIsRefusedAtOnce() {
    assertThat(ImageName.isValid("a".repeat(100_000))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "app, false",
    "example.org/app, false",
    "localhost:5000/app, false",
    "localhost:5000/app:1, true",
    "app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef, true"
  })
  void tagsAndDigestsAreFound(String image, boolean selects) {
    assertThat(ImageName.selects(image)).isEqualTo(selects);
  }

  @ParameterizedTest
  @CsvSource({
    "'', repository name must have at least one component",
    "UPPER, repository name must be lowercase",
    "a b, invalid reference format",
    "app@sha256:0123456789abcdef0123456789abcdef, invalid checksum digest length",
    "app@md5:0123456789abcdef0123456789abcdef, unsupported digest algorithm"
  })
  void whatIsWrongIsSaidInTheWordsOfTheReferencesLibrary(String image, String problem) {
    assertThat(ImageName.problem(image)).contains(problem);
  }

  @Test
  void aPathHasALimit() {
    assertThat(ImageName.problem("a".repeat(255))).isEmpty();
    assertThat(ImageName.problem("a".repeat(256)))
        .contains("repository name must not be more than 255 characters");
  }
}
