package dev.vertlet.sources;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.manifest.SourceContents;
import dev.vertlet.testing.LogLines;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class SourcePollTest {
  private static final String CANNOT =
      "manifests cannot be read; pods of the last read keep running";
  private static final String CAN = "manifests can be read again";

  /** Answers one after another, and then nothing more ever. */
  private static final class Answers implements ManifestSource {
    private final List<Future<SourceContents>> answers;
    private volatile int asked;

    Answers(List<Future<SourceContents>> answers) {
      this.answers = answers;
    }

    @Override
    public String name() {
      return "http";
    }

    @Override
    public String place() {
      return "http://pods";
    }

    @Override
    public Future<SourceContents> read() {
      int now = asked;
      asked = now + 1;
      return now < answers.size() ? answers.get(now) : Future.future(never -> {});
    }
  }

  private static void readAll(Vertx vertx, List<Future<SourceContents>> answers) {
    Answers source = new Answers(answers);
    SourcePoll poll = new SourcePoll(vertx, "node", source, Duration.ofMillis(1), heard -> {});
    vertx.runOnContext(ignored -> poll.read());
    eventually(() -> assertThat(source.asked).isGreaterThan(answers.size()));
    poll.stop();
  }

  @Test
  void reasonsThatTakeTurnsAreToldOnceEach(Vertx vertx) {
    Future<SourceContents> refused = Future.failedFuture("connection refused");
    Future<SourceContents> late = Future.failedFuture("no answer");
    Future<SourceContents> read = Future.succeededFuture(SourceContents.EMPTY);
    try (LogLines lines = LogLines.of(SourcePoll.class)) {
      readAll(vertx, List.of(refused, refused, late, refused, late, read, read, late));

      assertThat(lines.messages()).containsExactly(CANNOT, CANNOT, CAN, CANNOT);
      assertThat(lines.withKey("error"))
          .containsExactly("connection refused", "no answer", "no answer");
    }
  }

  @Test
  void reasonsThatNeverRepeatAreNotToldForever(Vertx vertx) {
    List<Future<SourceContents>> failures =
        java.util.stream.IntStream.range(0, 50)
            .mapToObj(i -> Future.<SourceContents>failedFuture("reason " + i))
            .toList();
    try (LogLines lines = LogLines.of(SourcePoll.class)) {
      readAll(vertx, failures);
      assertThat(lines.withKey("error"))
          .containsExactly("reason 0", "reason 1", "reason 2", "reason 3", "reason 4");
    }
  }
}
