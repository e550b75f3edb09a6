package dev.vertlet.model.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Quantity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "0Gi,0",
    "1,1",
    "+1,1",
    "-1,-1",
    "4.0,4",
    "3.92,3920m",
    "0.1,100m",
    ".5,500m",
    "1000m,1",
    "1500k,1500k",
    "1000k,1M",
    "2000000000,2G",
    "1024,1024",
    "1024Ki,1Mi",
    "16384Mi,16Gi",
    "1.5Gi,1536Mi",
    "512Ki,512Ki",
    "0.5Ki,512",
    "0.0001Ki,102400u",
    "1023.5Ki,1048064",
    "1024.0001Ki,1048576102400u",
    "1e3,1e3",
    "1E4,10e3",
    "12e0,12",
    "1e-3,1e-3",
    "1e99,9223372036854775807",
    "-12E,-9223372036854775807",
    "1Pi,1Pi",
    "7u,7u",
    "3T,3T",
    "3P,3P",
    "3G,3G",
    "3Ti,3Ti",
    "1.0000000001n,2n",
    "9Ei,9223372036854775807",
    "12E,9223372036854775807",
    "1E,1E",
    "1Ei,1Ei"
  })
  void givesTheCanonicalForm(String text, String canonical) {
    assertThat(Quantities.parse("cpu", text)).hasToString(canonical);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1K", "1 Gi", "--1", "1.2.3", "1Zi", "1e3Ki", "1e", "1e999999"})
  void refusesWhatIsNoQuantity(String text) {
    assertThatThrownBy(() -> Quantities.parse("memory", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("failed to parse quantity \"" + text + "\" for \"memory\" resource");
  }

  @Test
  void refusesAbsurdlyLongText() {
    String text = "1".repeat(65);
    assertThatThrownBy(() -> Quantities.parse("memory", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("failed to parse quantity");
  }

  @Test
  void addsAndSubtractsInTheFamilyOfTheFirst() {
    assertThat(Quantities.subtract(quantity("4"), quantity("80m"))).hasToString("3920m");
    assertThat(Quantities.subtract(quantity("16Gi"), quantity("1Gi"))).hasToString("15Gi");
    assertThat(Quantities.subtract(quantity("16Gi"), quantity("100Mi"))).hasToString("16284Mi");
    assertThat(Quantities.add(quantity("100m"), quantity("1"))).hasToString("1100m");
    assertThat(Quantities.add(quantity("0"), quantity("15Gi"))).hasToString("15Gi");
  }

  @Test
  void comparesByValue() {
    assertThat(Quantities.compare(quantity("1000m"), quantity("1"))).isZero();
    assertThat(Quantities.compare(quantity("1Gi"), quantity("1G"))).isPositive();
    assertThat(Quantities.compare(quantity("1m"), quantity("1"))).isNegative();
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, 1500m, 1, 2",
    "cpu, 1500m, 1m, 1500",
    "cpu, 100u, 1m, 1",
    "memory, 1Gi, 1Mi, 1024",
    "memory, 1, 1500m, 1",
    "memory, 0, 1, 0"
  })
  void dividesAndRoundsUp(String resource, String amount, String divisor, String expected) {
    assertThat(Quantities.dividedUp(resource, amount, divisor)).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource({"0, true", "0Gi, true", "0.0, true", "1n, false"})
  void zeroIsZeroHoweverItIsWritten(String text, boolean zero) {
    assertThat(Quantities.isZero(text)).isEqualTo(zero);
  }

  private static Quantity quantity(String text) {
    return Quantities.parse("any", text);
  }
}
