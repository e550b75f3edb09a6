package dev.vertlet.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReservationTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cpu|-1|resource quantity for \"cpu\" cannot be negative: -1",
        "gpu|1|cannot reserve \"gpu\" resource",
        "memory|x|failed to parse quantity \"x\" for \"memory\" resource"
      })
  void refusesWithTheKubeletsWords(String resource, String quantity, String message) {
    Map<String, String> wrong = Map.of(resource, quantity);
    assertThatThrownBy(() -> Reservation.parse(wrong, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> Reservation.parse(Map.of(), wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void leavesWhatIsNotReserved() {
    // given
    Reservation reservation =
        Reservation.parse(
            Map.of("cpu", "80m", "memory", "512Mi"),
            Map.of("memory", "512Mi", "ephemeral-storage", "1Gi", "pid", "100"));

    // when
    Map<String, Quantity> allocatable =
        reservation.allocatable(
            Map.of(
                "cpu", new Quantity("4"),
                "memory", new Quantity("16", "Gi"),
                "pods", new Quantity("110"),
                "ephemeral-storage", new Quantity("512", "Mi")),
            Map.of("memory", new Quantity("100", "Mi")));

    // then
    assertThat(allocatable)
        .containsOnlyKeys("cpu", "memory", "pods", "ephemeral-storage")
        .hasEntrySatisfying("cpu", q -> assertThat(q).hasToString("3920m"))
        .hasEntrySatisfying("memory", q -> assertThat(q).hasToString("15260Mi"))
        .hasEntrySatisfying("pods", q -> assertThat(q).hasToString("110"))
        .hasEntrySatisfying("ephemeral-storage", q -> assertThat(q).hasToString("0"));
  }

  @Test
  void neverGivesMoreThanTheCapacity() {
    // given
    Reservation odd = new Reservation(Map.of("cpu", new Quantity("-1")), Map.of());

    // when
    Map<String, Quantity> allocatable = odd.allocatable(Map.of("cpu", new Quantity("4")));

    // then
    assertThat(allocatable.get("cpu")).hasToString("4");
  }

  @Test
  void reservesNothingByDefault() {
    assertThat(Reservation.NONE.allocatable(Map.of("cpu", new Quantity("2.5"))))
        .hasEntrySatisfying("cpu", q -> assertThat(q).hasToString("2500m"));
  }
}
