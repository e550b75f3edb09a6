package dev.vertlet.api.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.LogRequest.Stream;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.MultiMap;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogQueryTest {
  private static final ContainerTarget TARGET =
      new ContainerTarget(new PodRef("n", "p", "u"), "node", "c", "");
  private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");

  private static LogRequest read(String query) {
    MultiMap params = MultiMap.caseInsensitiveMultiMap();
    new QueryStringDecoder("/?" + query).parameters().forEach(params::add);
    return new LogQuery(params).read(TARGET, NOW);
  }

  @Test
  @Tag("2.3-logs")
  void withoutAnythingItIsAllThereIs() {
    assertThat(read(""))
        .isEqualTo(new LogRequest(TARGET, false, false, false, null, null, null, Stream.ALL));
  }

  /** virtual-kubelet 2.3-logs, but for tailLines=0, which is no line, as a kubelet reads it. */
  @Test
  @Tag("2.3-logs")
  void everythingThatCanBeAsked() {
    assertThat(
            read(
                "follow=true&previous=1&timestamps=&sinceTime=2026-01-01T01:00:00%2B01:00"
                    + "&tailLines=0&limitBytes=1"))
        .isEqualTo(
            new LogRequest(
                TARGET,
                true,
                true,
                true,
                Instant.parse("2026-01-01T00:00:00Z"),
                0L,
                1L,
                Stream.ALL));
    assertThat(read("sinceSeconds=60&stream=Stderr&follow=false&previous=0"))
        .isEqualTo(
            new LogRequest(
                TARGET,
                false,
                false,
                false,
                Instant.parse("2026-01-01T00:00:00Z"),
                null,
                null,
                Stream.STDERR));
    assertThat(read("stream=Stdout").stream()).isEqualTo(Stream.STDOUT);
    assertThat(read("sinceTime=null").since()).isNull();
    assertThat(read("sinceTime=").since()).isNull();
    assertThat(read("sinceSeconds=9223372036854775807").since()).isEqualTo(Instant.EPOCH);
  }

  /** Of the time before tailLines. */
  @Test
  void theOldNameOfTailLinesCounts() {
    assertThat(read("tail=3").tailLines()).isEqualTo(3);
    assertThat(read("tail=3&tailLines=5").tailLines()).isEqualTo(3);
    assertThat(read("tail=all&tailLines=5").tailLines()).isNull();
    assertThat(read("tail=&tailLines=5").tailLines()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "tailLines=x, 400",
    "tailLines=, 400",
    "tail=some, 400",
    "limitBytes=1.5, 400",
    "sinceSeconds=99999999999999999999, 400",
    "sinceTime=yesterday, 400",
    "tailLines=-1, 422",
    "limitBytes=0, 422",
    "sinceSeconds=0, 422",
    "sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z, 422",
    "stream=Other, 422",
    "stream=, 422",
    "stream=Stdout&tailLines=1, 422"
  })
  @Tag("2.3-logs")
  void badQueriesAreRefusedAsAKubeletDoes(String query, int status) {
    HttpFailure failure = catchThrowableOfType(HttpFailure.class, () -> read(query));

    assertThat(failure.status()).isEqualTo(status);
    assertThat(failure.text())
        .isEqualTo(
            status == 400
                ? "{\"message\": \"Unable to decode query.\"}"
                : "{\"message\": \"Invalid request.\"}");
  }
}
