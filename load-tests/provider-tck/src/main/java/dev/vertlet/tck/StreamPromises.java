package dev.vertlet.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks every promise of {@link PodStreams} for a running container. A call that the provider does
 * not offer must fail with UNSUPPORTED each time.
 */
final class StreamPromises {
  private static final Pattern TIMED =
      Pattern.compile("(?s)[0-9-]{10}T[0-9:]{8}\\.[0-9]{9}(Z|[+-][0-9:]{5}) .*");
  private static final int EXIT_CODE = 3;

  private final Lab lab;
  private final PodStreams streams;
  private final ContainerTarget target;

  StreamPromises(Lab lab, PodStreams streams, ContainerTarget target) {
    this.lab = lab;
    this.streams = streams;
    this.target = target;
  }

  private LogRequest request(
      boolean follow, boolean timestamps, @Nullable Long tail, @Nullable Long limit) {
    return new LogRequest(
        target, follow, false, timestamps, null, tail, limit, LogRequest.Stream.ALL);
  }

  private String log(LogRequest request) {
    Client client = Client.listening();
    lab.call(() -> streams.logs(request, client.out(), client.gone()));
    assertThat(client.out().ended()).as("a log's stream is ended by whoever gave it").isFalse();
    return client.out().text();
  }

  /** Whether the provider offers this call. */
  private <T> boolean offered(Supplier<Future<T>> call) {
    Future<Boolean> answer =
        lab.begin(call)
            .transform(
                result ->
                    Future.succeededFuture(
                        result.succeeded()
                            || ProviderException.kindOf(result.cause()) != Kind.UNSUPPORTED));
    return lab.call(() -> answer);
  }

  /** Checks which lines a log has, their timestamps and limits, and the end of a follow. */
  void logs() {
    Client first = Client.listening();
    if (!offered(() -> streams.logs(request(false, false, 0L, null), first.out(), first.gone()))) {
      return;
    }
    assertThat(first.out().text()).as("no line was wanted").isEmpty();
    String whole = log(request(false, false, null, null));
    assertThat(log(request(false, false, Long.MAX_VALUE, null))).as("all lines").startsWith(whole);
    assertThat(log(request(false, false, 1L, null)).lines().count()).isLessThanOrEqualTo(1);
    assertThat(log(request(false, false, null, 1L)).length()).isLessThanOrEqualTo(1);
    assertThat(log(request(false, true, null, null)).lines())
        .allMatch(line -> TIMED.matcher(line).matches());
    LogRequest later =
        new LogRequest(
            target,
            false,
            false,
            false,
            Instant.parse("2500-01-01T00:00:00Z"),
            null,
            null,
            LogRequest.Stream.ALL);
    assertThat(log(later)).as("lines of later times").isEmpty();
    List<String> out = log(of(LogRequest.Stream.STDOUT)).lines().toList();
    List<String> err = log(of(LogRequest.Stream.STDERR)).lines().toList();
    // the container may have written more meanwhile
    List<String> both = log(request(false, true, null, null)).lines().toList();
    assertThat(both).as("lines of both outputs").containsAll(out).containsAll(err);
    assertThat(out.size() + err.size()).as("each line is of one").isLessThanOrEqualTo(both.size());

    Client follower = Client.listening();
    Future<Void> followed =
        lab.begin(
            () -> streams.logs(request(true, false, null, null), follower.out(), follower.gone()));
    lab.eventually(() -> assertThat(follower.out().text()).startsWith(whole));
    follower.leave();
    // success or failure, but it must end
    lab.call(() -> followed.otherwiseEmpty());
  }

  private LogRequest of(LogRequest.Stream stream) {
    return new LogRequest(target, false, false, true, null, null, null, stream);
  }

  /** Checks that attach and port forwarding end when their client disconnects. */
  void sessions() {
    Client watcher = Client.sending();
    Future<Void> attached = lab.begin(() -> streams.attach(target, false, watcher));
    watcher.leave();
    lab.call(() -> attached.otherwiseEmpty());

    Client caller = Client.sending();
    Future<Void> connected = lab.begin(() -> streams.portForward(target.pod(), 80, caller));
    caller.leave();
    lab.call(() -> connected.otherwiseEmpty());
  }

  /** Checks that attach ends when its container ends. */
  void attachEndsWith(Runnable end) {
    Client watcher = Client.listening();
    Future<Void> attached = lab.begin(() -> streams.attach(target, false, watcher));
    end.run();
    lab.call(() -> attached.otherwiseEmpty());
  }

  /** Checks that a followed log ends when its container ends. */
  void logsEndWith(Runnable end) {
    Client client = Client.listening();
    Supplier<Future<Void>> call =
        () -> streams.logs(request(true, false, null, null), client.out(), client.gone());
    Client first = Client.listening();
    boolean offered =
        offered(() -> streams.logs(request(false, false, 0L, null), first.out(), first.gone()));
    Future<Void> followed = offered ? lab.begin(call) : Future.succeededFuture();
    end.run();
    lab.call(() -> followed);
  }

  /**
   * Checks that a command receives its input up to the end, returns its exit code, waits for a slow
   * reader, and ends with its client.
   *
   * @param command copies its standard input and exits with code 3
   */
  void commands(List<String> command) {
    ExecRequest request = new ExecRequest(target, command, false);
    Client client = Client.sending();
    Future<Integer> done = lab.begin(() -> streams.exec(request, client));
    client.in().send("over ");
    client.in().send("there");
    client.in().end();
    Future<Integer> answer =
        done.recover(
            failure ->
                ProviderException.kindOf(failure) == Kind.UNSUPPORTED
                    ? Future.succeededFuture(-1)
                    : Future.failedFuture(failure));
    int code = lab.call(() -> answer);
    if (code == -1) {
      return;
    }
    assertThat(code).isEqualTo(EXIT_CODE);
    assertThat(client.out().text()).as("all output, before the exit code").isEqualTo("over there");

    Client slow = Client.sending();
    slow.out().hold();
    Future<Integer> held = lab.begin(() -> streams.exec(request, slow));
    for (int i = 0; i < 100; i++) {
      slow.in().send("x".repeat(100_000));
    }
    slow.in().end();
    lab.eventually(() -> assertThat(slow.out().count()).isPositive());
    assertThat(slow.out().largestBacklog()).as("bytes that wait").isLessThan(1_000_000);
    slow.out().release();
    assertThat(lab.call(() -> held)).isEqualTo(EXIT_CODE);
    assertThat(slow.out().count()).isEqualTo(10_000_000);

    Client gone = Client.sending();
    Future<Integer> left = lab.begin(() -> streams.exec(request, gone));
    gone.leave();
    lab.call(() -> left.otherwise(0));
  }

  /** Checks that a checkpoint is a file on the node and that the container keeps running. */
  void checkpoint() {
    Future<String> made =
        lab.begin(() -> streams.checkpoint(target, Duration.ZERO, Future.future(never -> {})))
            .recover(
                failure ->
                    ProviderException.kindOf(failure) == Kind.UNSUPPORTED
                        ? Future.succeededFuture("")
                        : Future.failedFuture(failure));
    String file = lab.call(() -> made);
    if (!file.isEmpty()) {
      assertThat(Path.of(file)).as("a path on the node").isAbsolute();
    }
  }

  /** Checks that every call for an unknown container fails with NOT_FOUND. */
  void unknown(ContainerTarget stranger) {
    Client client = Client.sending();
    LogRequest log =
        new LogRequest(stranger, false, false, false, null, null, null, LogRequest.Stream.ALL);
    notFound(() -> streams.logs(log, client.out(), client.gone()));
    notFound(() -> streams.exec(new ExecRequest(stranger, List.of("true"), false), client));
    notFound(() -> streams.attach(stranger, false, client));
    notFound(() -> streams.portForward(stranger.pod(), 80, client));
    notFound(() -> streams.checkpoint(stranger, Duration.ZERO, client.gone()));
  }

  private void notFound(Supplier<? extends Future<?>> call) {
    Throwable failure = lab.failure(call);
    assertThat(ProviderException.kindOf(failure))
        .as("%s", failure)
        .isIn(Kind.NOT_FOUND, Kind.UNSUPPORTED);
    assertThat(failure).hasMessageMatching("(?s).+");
  }
}
