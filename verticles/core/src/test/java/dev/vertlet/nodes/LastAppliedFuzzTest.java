package dev.vertlet.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.vertlet.testsupport.Seeds;
import dev.vertlet.testsupport.fuzz.JsonFuzz;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** Whatever stands in the record of what an agent put on a node, it is no more than keys. */
class LastAppliedFuzzTest {
  private static final JsonObject APPLIED =
      new JsonObject(
          """
          {"labels": ["a", "b"], "annotations": ["c"], "taints": ["own:NoSchedule"]}""");

  @Test
  void isReadWhateverItSays() {
    int known = 0;
    for (long seed = 0; seed < Seeds.count(400, 2_000); seed++) {
      JsonFuzz fuzz = new JsonFuzz(Seeds.random(seed));
      String text = seed % 5 == 0 ? fuzz.text(APPLIED.encode()) : fuzz.mutant(APPLIED);
      try {
        LastApplied read = LastApplied.decode(text);
        known += read.labels().isEmpty() ? 0 : 1;
        assertThat(LastApplied.decode(read.encode()).encode()).isEqualTo(read.encode());
      } catch (Throwable e) {
        fail("seed %d: %s".formatted(seed, text), e);
      }
    }
    assertThat(known).isPositive();
  }
}
