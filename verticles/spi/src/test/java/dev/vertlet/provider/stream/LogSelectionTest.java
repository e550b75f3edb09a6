package dev.vertlet.provider.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.stream.LogRequest.Stream;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogSelectionTest {
  private static final Instant NOON = Instant.parse("2026-01-02T12:00:00.5Z");

  /** One a second, every second one an error. */
  private static final List<LogLine> LINES =
      List.of(line(0, "a"), line(1, "b"), line(2, "c"), line(3, "d"), line(4, "e"));

  private static LogLine line(int second, String text) {
    return new LogLine(NOON.plusSeconds(second), second % 2 == 1, Buffer.buffer(text));
  }

  private static LogSelection selection(
      @Nullable Instant since,
      @Nullable Long tail,
      @Nullable Long limit,
      Stream stream,
      boolean timestamps) {
    ContainerTarget target = new ContainerTarget(new PodRef("default", "p", "u"), "n", "c", "id");
    return new LogSelection(
        new LogRequest(target, false, false, timestamps, since, tail, limit, stream));
  }

  private static String texts(List<LogLine> lines) {
    return lines.stream().map(line -> line.text().toString()).collect(Collectors.joining());
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, ALL,    abcde",
        "-, -, STDOUT, ace",
        "-, -, STDERR, bd",
        "-, 2, ALL,    de",
        "-, 9, ALL,    abcde",
        "-, 0, ALL,    ''",
        // the stream is chosen first, then the time, then the tail
        "-, 2, STDOUT, ce",
        "2, -, ALL,    cde",
        "2, -, STDERR, d",
        "1, 3, STDOUT, ce",
        "4, -, ALL,    e",
        "5, -, ALL,    ''"
      })
  void choosesByStreamTimeAndTail(
      @Nullable Integer sinceSecond, @Nullable Long tail, Stream stream, String chosen) {
    Instant since = sinceSecond == null ? null : NOON.plusSeconds(sinceSecond);

    assertThat(texts(selection(since, tail, null, stream, false).existing(LINES)))
        .isEqualTo(chosen);
  }

  @Test
  void whatComesLaterIsChosenByStreamAndTimeAlone() {
    LogSelection selection = selection(NOON.plusSeconds(2), 0L, null, Stream.STDOUT, false);

    assertThat(selection.existing(LINES)).isEmpty();
    assertThat(selection.wants(line(4, "later"))).isTrue();
    assertThat(selection.wants(line(3, "an error"))).isFalse();
    assertThat(selection.wants(line(0, "too old"))).isFalse();
  }

  @Test
  void timesHaveNineDigits() {
    Buffer out = Buffer.buffer();

    selection(null, null, null, Stream.ALL, true).append(LINES.get(0), out);

    assertThat(out).hasToString("2026-01-02T12:00:00.500000000Z a\n");
  }

  @ParameterizedTest
  @CsvSource({"1, 'a'", "2, 'a|'", "3, 'a|b'", "4, 'a|b|'", "9, 'a|b|c|d|e'", "10, 'a|b|c|d|e|'"})
  void theLimitCutsWhereverItIs(long limit, String written) {
    LogSelection selection = selection(null, null, limit, Stream.ALL, false);
    Buffer out = Buffer.buffer();
    assertThat(selection.full()).isFalse();

    selection.existing(LINES).forEach(line -> selection.append(line, out));

    assertThat(out).hasToString(written.replace('|', '\n'));
    assertThat(selection.full()).isTrue();
    selection.append(line(5, "more"), out);
    assertThat(out.length()).isEqualTo((int) limit);
  }

  @Test
  void theLimitCountsTimesToo() {
    LogSelection selection = selection(null, null, 4L, Stream.ALL, true);
    Buffer out = Buffer.buffer();

    selection.append(LINES.get(0), out);

    assertThat(out).hasToString("2026");
  }
}
