package dev.vertlet.harness.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TrafficTest {
  private static Traffic.Requests requests(String verb, long count) {
    return new Traffic.Requests(verb, "pods", count, 1, 10 * count, 100 * count);
  }

  @Test
  void aSumHasEveryKindOnceAndTheMostFrequentFirst() {
    Traffic sum =
        new Traffic(List.of(requests("get", 2), requests("list", 3)), 10, 20)
            .plus(new Traffic(List.of(requests("get", 5), requests("watch", 1)), 1, 2));

    assertThat(sum)
        .isEqualTo(
            new Traffic(
                List.of(
                    new Traffic.Requests("get", "pods", 7, 2, 70, 700),
                    requests("list", 3),
                    requests("watch", 1)),
                11,
                22));
  }

  @Test
  void whatCameSinceHasOnlyKindsThatCame() {
    Traffic before = new Traffic(List.of(requests("get", 2), requests("list", 3)), 10, 20);
    Traffic more = new Traffic(List.of(requests("get", 5), requests("watch", 1)), 1, 2);

    assertThat(before.plus(more).since(before)).isEqualTo(more);
    assertThat(before.since(before)).isEqualTo(Traffic.NONE);
  }
}
