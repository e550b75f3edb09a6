package dev.vertlet.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyedTableTest {
  private record Thing(String key, int number) {}

  private final KeyedTable<String, Thing> table = new KeyedTable<>(Thing::key);

  @Test
  void findsWhatItHasByItsKey() {
    table.put(new Thing("a", 1));
    table.put(new Thing("b", 2));

    assertThat(table.get("a")).isEqualTo(new Thing("a", 1));
    assertThat(table.get("c")).isNull();
    assertThat(table.contains("b")).isTrue();
    assertThat(table.contains("c")).isFalse();
    assertThat(table.size()).isEqualTo(2);
    assertThat(table.values()).containsExactlyInAnyOrder(new Thing("a", 1), new Thing("b", 2));
  }

  @Test
  void aKeyHasOneValue() {
    table.put(new Thing("a", 1));

    assertThat(table.put(new Thing("a", 2))).isEqualTo(new Thing("a", 1));
    assertThat(table.values()).containsExactly(new Thing("a", 2));
    assertThat(table.remove("a")).isEqualTo(new Thing("a", 2));
    assertThat(table.remove("a")).isNull();
    assertThat(table.isEmpty()).isTrue();
  }

  @Test
  void nothingIsLeftAfterClear() {
    for (int i = 0; i < 100; i++) {
      table.put(new Thing("key " + i, i));
    }
    table.clear();

    assertThat(table.values()).isEmpty();
    assertThat(table.get("key 1")).isNull();
    table.put(new Thing("a", 1));
    assertThat(table.size()).isEqualTo(1);
  }

  /** Few keys and bad hashes: chains form, wrap round and are closed again. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64, 5_000})
  void isLikeAMapWhateverComesAndGoes(int keys) {
    KeyedTable<Integer, Integer> tested = new KeyedTable<>(number -> number % keys);
    Map<Integer, Integer> expected = new HashMap<>();
    Random random = new Random(keys);
    for (int step = 0; step < 50_000; step++) {
      int number = random.nextInt(keys * 8);
      int key = number % keys;
      if (random.nextInt(100) < (step / 5_000 % 2 == 0 ? 65 : 35)) {
        assertThat(tested.put(number)).isEqualTo(expected.put(key, number));
      } else {
        assertThat(tested.remove(key)).isEqualTo(expected.remove(key));
      }
      assertThat(tested.get(key)).isEqualTo(expected.get(key));
      if (tested.size() != expected.size()) {
        assertThat(tested.size()).isEqualTo(expected.size());
      }
    }
    assertThat(tested.values()).containsExactlyInAnyOrderElementsOf(expected.values());
  }
}
