package dev.vertlet.kubelet.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.ImageName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageNamesTest {
  @ParameterizedTest
  @CsvSource({
    "App, ': repository name (library/App) must be lowercase'",
    "example/App:1, ': repository name (example/App) must be lowercase'",
    "Example.org/App:1, ': repository name (App) must be lowercase'",
    "example.org/a b, ''",
    "example.org/app:, ''"
  })
  void namesARepositoryWithCapitals(String image, String end) {
    assertThat(ImageName.isValid(image)).isFalse();
    assertThat(ImageNames.refusal(image)).endsWith(": invalid reference format" + end);
  }
}
