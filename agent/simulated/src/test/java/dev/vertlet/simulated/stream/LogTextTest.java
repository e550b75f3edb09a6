package dev.vertlet.simulated.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.LogLine;
import dev.vertlet.provider.stream.LogRequest.Stream;
import dev.vertlet.simulated.rule.ContainerOutput;
import dev.vertlet.simulated.rule.ListeningPorts;
import dev.vertlet.simulated.rule.LogRate;
import dev.vertlet.simulated.rule.LogTemplate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arithmetic of logs that are never stored. */
class LogTextTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final ContainerTarget TARGET =
      new ContainerTarget(new PodRef("shop", "web-1", "uid"), "n", "main", "simulated://1");

  private static LogText log(String rate, int errorEvery, @Nullable Duration runs) {
    ContainerOutput talk = new ContainerOutput(LogRate.parse(rate), null, errorEvery, null, null);
    return new LogText(talk, 42, TARGET, state(runs), Long.MAX_VALUE);
  }

  private static ContainerStateView state(@Nullable Duration runs) {
    return runs == null
        ? new Running(START)
        : new Terminated(7, 0, "Error", null, START, START.plus(runs), TARGET.containerId());
  }

  private static long at(Duration later) {
    return LogText.nanos(START.plus(later));
  }

  private static List<String> lines(LogText log, long from, long until, Stream stream) {
    List<String> lines = new ArrayList<>();
    for (long i = log.next(from, stream); i < until; i = log.next(i + 1, stream)) {
      LogLine line = log.line(i);
      lines.add(line.time() + " " + line.error() + " " + line.text());
    }
    return lines;
  }

  @Test
  void aLogTellsOfStartAndEndAndOfWhatWasBetween() {
    LogText log = log("1/s", 0, Duration.ofSeconds(3));

    List<String> lines = lines(log, 0, log.count(0), Stream.ALL);

    assertThat(log.complete()).isTrue();
    assertThat(lines).hasSize(6);
    assertThat(lines.get(0)).isEqualTo("2026-01-01T00:00:00Z false container main started");
    assertThat(lines.get(5))
        .isEqualTo("2026-01-01T00:00:03.999999999Z false container main ended with exit code 7");
    assertThat(lines.subList(1, 5))
        .allSatisfy(line -> assertThat(line).matches(".* request [1-4] took [0-9]{1,3} ms"));
    assertThat(LongStream.range(0, 6).map(log::time).boxed().toList()).isSorted();
    assertThat(lines(log("1/s", 0, Duration.ofSeconds(3)), 0, 6, Stream.ALL)).isEqualTo(lines);
  }

  @Test
  void aSilentContainerTellsOfStartAndEndOnly() {
    LogText running = log("0", 0, null);
    assertThat(running.count(at(Duration.ofDays(3)))).isEqualTo(1);
    assertThat(running.since(at(Duration.ofDays(1)))).isEqualTo(1);
    assertThat(running.silent()).isTrue();
    assertThat(log("0/s", 0, Duration.ZERO).count(0)).isEqualTo(2);
  }

  @Test
  void whatARunningInstanceWroteStaysAsItWasWhenItHasEnded() {
    LogText running = log("50/s", 3, null);
    LogText ended = log("50/s", 3, Duration.ofSeconds(4));
    long count = running.count(at(Duration.ofSeconds(5)) - 1);

    assertThat(ended.count(0)).isEqualTo(count + 1);
    assertThat(lines(running, 0, count, Stream.ALL)).isEqualTo(lines(ended, 0, count, Stream.ALL));
  }

  @Test
  void aLogThatHasNotBegunIsEmpty() {
    assertThat(log("1/s", 0, null).count(at(Duration.ofSeconds(-1)))).isZero();
    assertThat(log("1/s", 0, null).since(at(Duration.ofSeconds(-1)))).isZero();
  }

  /** However slices are cut, one after the other they are the whole. */
  @ParameterizedTest
  @ValueSource(strings = {"3/s", "0.7/s", "100/s", "1/m", "0", "unlimited"})
  void slicesBySinceMakeTheWhole(String rate) {
    Random random = new Random(5);
    boolean fast = rate.equals("unlimited");
    for (int i = 0; i < 40; i++) {
      boolean over = !fast && random.nextBoolean();
      LogText log = log(rate, random.nextInt(4), over ? Duration.ofSeconds(20) : null);
      long begin = fast ? at(Duration.ofSeconds(7)) : at(Duration.ZERO);
      long length = fast ? 3_000 : 21_000_000_000L;
      long until = log.count(begin + length);
      long first = fast ? log.since(begin) : 0;
      long from = first;
      long time = begin;
      List<String> joined = new ArrayList<>();
      while (time < begin + length) {
        time += 1 + (long) (random.nextDouble() * length / 3);
        long next = Math.min(until, log.since(time));
        joined.addAll(lines(log, from, next, Stream.ALL));
        if (next > from) {
          assertThat(log.time(next - 1)).isLessThan(time);
        }
        if (next < until) {
          assertThat(log.time(next)).isGreaterThanOrEqualTo(time);
        }
        from = next;
      }
      joined.addAll(lines(log, from, until, Stream.ALL));
      assertThat(joined).as("seed 5, case %d", i).isEqualTo(lines(log, first, until, Stream.ALL));
    }
  }

  @Test
  void aTailIsTheEndOfTheWholeWhateverTheStream() {
    Random random = new Random(6);
    for (int i = 0; i < 500; i++) {
      int every = random.nextInt(5);
      LogText log =
          log("5/s", every, random.nextBoolean() ? Duration.ofSeconds(random.nextInt(9)) : null);
      long count = log.count(at(Duration.ofMillis(random.nextInt(10_000))));
      for (Stream stream : Stream.values()) {
        List<String> all = lines(log, 0, count, stream);
        int wanted = random.nextInt(60);
        assertThat(lines(log, log.tail(count, wanted, stream), count, stream))
            .as("seed 6, case %d, %s of every %d", i, stream, every)
            .isEqualTo(all.subList(Math.max(0, all.size() - wanted), all.size()));
      }
    }
  }

  @Test
  void streamsDivideTheWhole() {
    for (int every = 0; every < 4; every++) {
      LogText log = log("5/s", every, Duration.ofSeconds(3));
      long count = log.count(0);
      List<String> all = lines(log, 0, count, Stream.ALL);
      assertThat(lines(log, 0, count, Stream.STDOUT))
          .isEqualTo(all.stream().filter(line -> line.contains(" false ")).toList());
      assertThat(lines(log, 0, count, Stream.STDERR))
          .isEqualTo(all.stream().filter(line -> line.contains(" true ")).toList())
          .hasSize(every == 0 ? 0 : (int) (count - 2) / every);
    }
    assertThat(log("5/s", 1, null).next(1, Stream.STDOUT)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aBillionLinesCostNoMoreThanOne() {
    LogText log = log("unlimited", 2, null);
    long count = log.count(at(Duration.ofDays(300)));

    assertThat(count).isGreaterThan(25_000_000_000_000_000L);
    assertThat(log.tail(count, 3, Stream.STDERR)).isBetween(count - 7, count - 5);
    assertThat(log.time(count - 1)).isEqualTo(at(Duration.ofDays(300)));
  }

  @Test
  void timesBeyondAllReasonAreBounded() {
    LogText log = log("1/s", 0, null);
    assertThat(log.since(LogText.nanos(Instant.MAX))).isPositive();
    assertThat(log.since(LogText.nanos(Instant.MIN))).isZero();
    assertThat(log("1/s", 0, Duration.ofSeconds(1)).since(LogText.nanos(Instant.MAX)))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void instancesDiffer() {
    ContainerOutput talk =
        new ContainerOutput(LogRate.parse("9/s"), new LogTemplate("{random}"), null, null, null);
    LogText one = new LogText(talk, 1, TARGET, new Running(START), Long.MAX_VALUE);
    LogText other =
        new LogText(
            talk,
            1,
            new ContainerTarget(TARGET.pod(), "n", "main", "simulated://2"),
            new Running(START),
            Long.MAX_VALUE);
    assertThat(lines(one, 1, 20, Stream.ALL)).isNotEqualTo(lines(other, 1, 20, Stream.ALL));
  }

  @Test
  void aLineIsWhatTheRuleSays() {
    LogTemplate line =
        new LogTemplate("{\"pod\":\"{pod}\",\"n\":{n}} {namespace}/{container}@{node} {other} {n}");
    ContainerOutput talk = new ContainerOutput(LogRate.parse("1/s"), line, null, null, null);
    LogText log = new LogText(talk, 1, TARGET, new Running(START), Long.MAX_VALUE);
    assertThat(log.line(3).text()).hasToString("{\"pod\":\"web-1\",\"n\":3} shop/main@n {other} 3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "fast", "10", "10/d", "-1/s", "1000000001/s", "9999999999/s", "1/ s"})
  void ratesThatCannotBeObeyedAreRefused(String text) {
    assertThatThrownBy(() -> LogRate.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "\""
                + text
                + "\" is no rate of lines: want for example 10/s, 0.5/m or 3/h, at most"
                + " 1000000000/s, or 0, or unlimited");
  }

  @Test
  void aLogThatIsFullBeginsAnew() {
    ContainerOutput talk =
        new ContainerOutput(
            LogRate.parse("1/s"), new LogTemplate("x".repeat(57)), null, null, null);
    LogText log = new LogText(talk, 1, TARGET, new Running(START), 1000);

    // 100 bytes a line with time, stream and tag
    assertThat(log.latest(0)).isZero();
    assertThat(log.latest(10)).isZero();
    assertThat(log.latest(11)).isEqualTo(10);
    assertThat(log.latest(20)).isEqualTo(10);
    assertThat(log.latest(1_000_000_001)).isEqualTo(1_000_000_000);
  }

  @Test
  void aLineLongerThanTheFileHasOneOfItsOwn() {
    LogText log =
        new LogText(
            new ContainerOutput(LogRate.parse("1/s"), null, null, null, null),
            1,
            TARGET,
            new Running(START),
            1);

    assertThat(log.latest(7)).isEqualTo(6);
  }

  @Test
  void ratesAreReadAsTheyAreWritten() {
    assertThat(LogRate.parse("10/s").everyNanos()).isEqualTo(100_000_000);
    assertThat(LogRate.parse("0.5/m").everyNanos()).isEqualTo(120_000_000_000L);
    assertThat(LogRate.parse("3/h").everyNanos()).isEqualTo(1_200_000_000_000L);
    assertThat(LogRate.parse("1000000000/s").everyNanos()).isEqualTo(1);
  }

  @Test
  void linesAndPortsThatCannotBeObeyedAreRefused() {
    assertThatThrownBy(() -> new LogTemplate(""))
        .hasMessage("a log line must be 1 to 16384 characters in one line, got 0");
    assertThatThrownBy(() -> new LogTemplate("a\nb")).hasMessageContaining("in one line");
    assertThatThrownBy(() -> new LogTemplate("x".repeat(20_000))).hasMessageContaining("20000");
    assertThatThrownBy(() -> ContainerOutput.errorEvery("often"))
        .hasMessage("\"often\" is no number of lines: want 0 to 1000000000");
    assertThatThrownBy(() -> ContainerOutput.errorEvery("1000000001"))
        .hasMessageContaining("want 0 to");
    for (String text : List.of("", "80,", "0", "65536", "80:ftp", "http")) {
      assertThatThrownBy(() -> ListeningPorts.parse(text))
          .hasMessageStartingWith("\"" + text + "\" says no ports: want any, none, or some");
    }
    assertThat(ListeningPorts.parse("any").on(1)).isEqualTo(ListeningPorts.Listener.AUTO);
    assertThat(ListeningPorts.parse("none").on(1)).isNull();
    ListeningPorts some = ListeningPorts.parse("80:http, 7:echo,9000,9:auto");
    assertThat(some.on(80)).isEqualTo(ListeningPorts.Listener.HTTP);
    assertThat(some.on(7)).isEqualTo(ListeningPorts.Listener.ECHO);
    assertThat(some.on(9000)).isEqualTo(ListeningPorts.Listener.AUTO);
    assertThat(some.on(9)).isEqualTo(ListeningPorts.Listener.AUTO);
    assertThat(some.on(81)).isNull();
  }
}
