package dev.vertlet.trace.record;

import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.trace.TraceHeader;
import dev.vertlet.trace.record.sanitize.Anonymizer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One recording from begin to end, for the thread of a command: checks the file and the cluster,
 * watches, and closes the file in order. Blocks.
 */
final class Recorder implements AutoCloseable {
  /** Of a cluster's answers before anything is written. */
  private static final Duration REVIEW_TIMEOUT = Duration.ofSeconds(60);

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

  private final Vertx vertx;
  private final RecordVerticle verticle;
  private final RecordFile file;
  private final Recording recording;
  private final TraceSink sink;
  private final ClusterReview.Result found;
  private final Future<Void> listed;

  /** Bytes of what there was when the watches began. Written on the event loop. */
  private volatile long listedBytes;

  private Recorder(
      Vertx vertx,
      RecordVerticle verticle,
      RecordFile file,
      Recording recording,
      TraceSink sink,
      ClusterReview.Result found) {
    this.vertx = vertx;
    this.verticle = verticle;
    this.file = file;
    this.recording = recording;
    this.sink = sink;
    this.found = found;
    this.listed =
        verticle
            .record(recording, sink, found)
            .onSuccess(done -> listedBytes = file.writer().bytes());
  }

  /**
   * Begins to record.
   *
   * @param vertx for this recording
   * @throws RecordException if the cluster lacks a kind or refuses a right
   * @throws dev.vertlet.trace.TraceException if the file cannot be used
   */
  static Recorder start(Vertx vertx, ApiAccess access, RecordOptions options) {
    TraceHeader before = RecordFile.peek(options.file());
    RecordVerticle verticle = new RecordVerticle(access, options);
    ClusterReview.Result found =
        await(vertx.deployVerticle(verticle).compose(id -> verticle.review()), REVIEW_TIMEOUT);
    Anonymizer names = RecordFile.anonymizer(options, before != null);
    Instant now = verticle.clock().instant();
    Instant started = before == null ? now : before.started();
    // filled once there is a writer: only events of the file itself come before
    List<TraceSink> sink = new ArrayList<>(1);
    Recording recording =
        new Recording(names, options.allKinds(), started, event -> sink.get(0).accept(event));
    RecordFile file = RecordFile.open(options, names, found.cluster(), now, recording::restore);
    sink.add(verticle.sink(file.writer()));
    if (file.continued()) {
      recording.resume(now);
    }
    return new Recorder(vertx, verticle, file, recording, sink.get(0), found);
  }

  /** What is left out, for people. */
  List<String> notes() {
    return found.notes();
  }

  /** Whether the API server does not answer; looked at once a second. */
  boolean outage() {
    return verticle.outage();
  }

  boolean continued() {
    return file.continued();
  }

  /** Completes when everything was listed. */
  Future<Void> listed() {
    return listed;
  }

  /** Fails when the file cannot be written; does not complete otherwise. */
  Future<Void> failure() {
    return sink.failure();
  }

  /**
   * What was recorded.
   *
   * @param changes of the cluster while it was watched
   * @param listedBytes that what was listed first has added to the file
   * @param changedBytes that the changes have added
   */
  record Summary(
      int nodes, int workloads, int pods, long changes, long listedBytes, long changedBytes) {}

  Summary summary() {
    return new Summary(
        recording.nodeCount(),
        recording.workloadCount(),
        recording.podCount(),
        recording.changes(),
        listedBytes,
        file.writer().bytes() - listedBytes);
  }

  /**
   * Stops watching, writes the end and closes the file.
   *
   * @throws dev.vertlet.trace.TraceException if it cannot be written
   */
  @Override
  public void close() {
    try (file) {
      await(verticle.finish(), CLOSE_TIMEOUT);
    } finally {
      vertx.close().await();
    }
  }

  private static <T> T await(Future<T> future, Duration limit) {
    try {
      return future.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new RecordException(
          "the API server does not answer within " + limit.toSeconds() + " s", e);
    }
  }
}
