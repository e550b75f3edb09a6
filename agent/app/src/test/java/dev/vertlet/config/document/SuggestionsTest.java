package dev.vertlet.config.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionsTest {
  private static final List<String> KNOWN = List.of("name", "count", "taints", "staticPodURL");

  @ParameterizedTest
  @CsvSource({
    "cuont, count",
    "Count, count",
    "taint, taints",
    "tianst, taints",
    "staticPodUrl, staticPodURL",
    "nmae, name",
    "cnuto,",
    "replicas,",
    "'',"
  })
  void findsWhatWasMeant(String word, String meant) {
    assertThat(Suggestions.of(word, KNOWN).orElse(null)).isEqualTo(meant);
  }
}
