package dev.vertlet.stages.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressPoolTest {
  private static List<String> all(AddressPool pool) {
    List<String> taken = new ArrayList<>();
    for (OptionalInt next = pool.take(); next.isPresent(); next = pool.take()) {
      taken.add(pool.text(next.getAsInt()));
    }
    return taken;
  }

  @Test
  void takesEveryAddressOfTheRangeAndNoneBeside() {
    assertThat(all(new AddressPool("10.1.2.9/29")))
        .containsExactly("10.1.2.10", "10.1.2.11", "10.1.2.12", "10.1.2.13", "10.1.2.14");
  }

  @Test
  void aFreedAddressIsTakenAgainLast() {
    AddressPool pool = new AddressPool("10.1.2.0/29");
    int first = pool.take().getAsInt();
    pool.free(first);
    assertThat(all(pool)).hasSize(5).last().isEqualTo("10.1.2.2");
  }

  @Test
  void anAddressThatAPodHasIsNotTaken() {
    AddressPool pool = new AddressPool("10.1.2.0/29");
    assertThat(pool.reserve("10.1.2.4")).isEqualTo(4);
    assertThat(pool.reserve("10.9.9.9")).isEqualTo(-1);
    assertThat(pool.reserve("fd00::2")).isEqualTo(-1);
    assertThat(pool.reserve("not an address")).isEqualTo(-1);
    assertThat(all(pool)).hasSize(4).doesNotContain("10.1.2.4");
  }

  @ParameterizedTest
  @CsvSource({"fd00:1::/64, fd00:1::2", "fd00::ffff:0/112, fd00::ffff:2", "255.0.0.0/8, 255.0.0.2"})
  void writesAddressesAsKubernetesDoes(String range, String first) {
    AddressPool pool = new AddressPool(range);
    assertThat(pool.text(pool.take().getAsInt())).isEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.1.2.0", "10.1.2.0/33", "10.1.2/24", "host/24", "10.1.2.0/-1", ""})
  void refusesWhatIsNoRange(String text) {
    assertThatThrownBy(() -> new AddressPool(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
