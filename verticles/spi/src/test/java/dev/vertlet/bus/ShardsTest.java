package dev.vertlet.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ShardsTest {
  @Test
  void nodesOfTwoProvidersNeverShareAShard() {
    Shards shards = new Shards(3, Map.of("b", 1, "d", 1, "e", 2));

    assertThat(shards.count()).isEqualTo(9);
    assertThat(shards.of("a")).isBetween(0, 2);
    assertThat(shards.of("c")).isBetween(0, 2);
    assertThat(shards.of("b")).isBetween(3, 5);
    assertThat(shards.of("d")).isBetween(3, 5);
    assertThat(shards.of("e")).isBetween(6, 8);
  }

  @Test
  void withOneProviderThereAreAsManyAsAreAskedFor() {
    assertThat(new Shards(4).count()).isEqualTo(4);
    assertThatThrownBy(() -> new Shards(0)).hasMessageContaining("at least 1, got 0");
  }
}
