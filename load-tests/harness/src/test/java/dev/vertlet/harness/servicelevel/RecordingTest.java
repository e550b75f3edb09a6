package dev.vertlet.harness.servicelevel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vertlet.harness.measure.ProcessUsage;
import dev.vertlet.harness.result.servicelevel.ControlPlaneRecord;
import dev.vertlet.harness.result.servicelevel.Curve;
import dev.vertlet.harness.result.servicelevel.RequestLatency;
import dev.vertlet.harness.result.servicelevel.Source;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The expected percentiles are Prometheus' answers to the queries that the tests name. */
class RecordingTest {
  private static final Offset<Double> ROUNDED = within(0.001);

  private final Recording recording = new Recording();

  private static MetricsSnapshot text(String text) {
    MetricsText parsed = new MetricsText(ControlPlaneMetrics.WANTED);
    parsed.feed(Buffer.buffer(text));
    assertThat(parsed.unreadable()).isZero();
    return new MetricsSnapshot(parsed.values());
  }

  /** Buckets of requests in two versions of one resource, which are one kind. */
  private static String patches(double start, int fast, int slow, int all) {
    String bucket =
        "apiserver_request_sli_duration_seconds_bucket{component=\"apiserver\",group=\"\",resource=\"pods\",scope=\"resource\",subresource=\"status\",verb=\"PATCH\",version=\"%s\",le=\"%s\"} %d\n";
    return "process_start_time_seconds "
        + start
        + "\n"
        + bucket.formatted("v1", "0.05", fast)
        + bucket.formatted("v1", "0.1", slow)
        + bucket.formatted("v1", "1", all)
        + bucket.formatted("v1", "+Inf", all)
        + bucket.formatted("v2", "0.05", 1)
        + bucket.formatted("v2", "0.1", 1)
        + bucket.formatted("v2", "1", 1)
        + bucket.formatted("v2", "+Inf", 1)
        + "apiserver_request_total{code=\"200\"} "
        + all
        + "\napiserver_request_total{code=\"429\"} 3\n"
        + "apiserver_resource_objects{group=\"\",resource=\"pods\"} 7\n"
        + "apiserver_resource_objects{group=\"apps\",resource=\"deployments\"} -1\n";
  }

  private void add(double seconds, String apiServer) {
    recording.add(
        seconds, new Recording.Reading(Optional.of(text(apiServer)), Optional.empty(), Map.of()));
  }

  /** histogram_quantile(0.99, sum by (le) (rate(…_bucket{verb="PATCH"}[…]))) = 0.955. */
  @Test
  void percentilesAreOfTheTimeSinceTheBeginning() {
    add(100, patches(1, 1000, 1000, 1000));
    recording.begin(100);
    add(105, patches(1, 1040, 1060, 1060));
    add(110, patches(1, 1060, 1080, 1100));

    RequestLatency latency = recording.result(List.of()).requests().get(0);

    assertThat(latency.kind().name()).isEqualTo("PATCH pods/status");
    assertThat(latency.source()).isEqualTo(Source.API_SERVER);
    assertThat(latency.count()).isEqualTo(100);
    assertThat(latency.p50()).isCloseTo(50 / 60.0 * 50, ROUNDED);
    assertThat(latency.p99()).isCloseTo(100 + 900 * 19 / 20.0, ROUNDED);
    assertThat(recording.result(List.of()).samples())
        .extracting(sample -> sample.values().get(Curve.REQUESTS))
        .containsExactly(12.0, 8.0);
    assertThat(recording.result(List.of()).samples())
        .extracting(sample -> sample.seconds())
        .containsExactly(5.0, 10.0);
  }

  @Test
  void theTotalsOfAWarmUpAreForgottenAndItsCurvesStay() {
    add(100, patches(1, 0, 0, 0));
    recording.begin(100);
    add(105, patches(1, 0, 0, 90));
    recording.forget();
    add(110, patches(1, 10, 10, 100));

    ControlPlaneRecord record = recording.result(List.of());

    assertThat(record.requests().get(0).count()).isEqualTo(10);
    assertThat(record.requests().get(0).p99()).isLessThan(50);
    assertThat(record.samples()).hasSize(2);
  }

  @Test
  void aRestartOfTheApiServerLosesNothing() {
    add(100, patches(1, 50, 50, 50));
    recording.begin(100);
    add(105, patches(1, 60, 60, 60));
    add(115, patches(2, 70, 70, 70));

    ControlPlaneRecord record = recording.result(List.of());

    assertThat(record.requests().get(0).count()).isEqualTo(10 + 70 + 1);
    assertThat(record.totals().rejected()).isEqualTo(3);
    assertThat(record.notes()).isEmpty();
  }

  @Test
  void severalApiServersAreToldAndNotAddedUp() {
    add(100, patches(1, 50, 50, 50));
    recording.begin(100);
    add(105, patches(2, 60, 60, 60));
    add(110, patches(1, 70, 70, 70));

    ControlPlaneRecord record = recording.result(List.of());

    assertThat(record.requests()).isEmpty();
    assertThat(record.samples()).isEmpty();
    assertThat(record.totals().rejected()).isNaN();
    assertThat(record.notes()).singleElement().asString().contains("several API servers");
  }

  @Test
  void whatIsNotAnsweredIsMissingAndTheReasonToldOnce() {
    recording.begin(100);
    recording.add(105, new Recording.Reading(Optional.empty(), Optional.empty(), Map.of()));

    ControlPlaneRecord record = recording.result(List.of("forbidden"));

    assertThat(record.notes()).containsExactly("forbidden");
    assertThat(record.samples()).isEmpty();
    assertThat(record.totals().etcdP99()).isNaN();
  }

  @Test
  void objectsAreThoseThatTheApiServerKnows() {
    add(100, patches(1, 0, 0, 0));

    assertThat(recording.result(List.of()).objects())
        .containsExactly(new ControlPlaneRecord.ObjectCount("pods", 7));
  }

  @Test
  void theSchedulersAttemptsAreThoseSinceTheBeginning() {
    String before =
        """
        scheduler_schedule_attempts_total{profile="default-scheduler",result="scheduled"} 10
        scheduler_schedule_attempts_total{profile="default-scheduler",result="unschedulable"} 1
        """;
    recording.add(
        100, new Recording.Reading(Optional.empty(), Optional.of(text(before)), Map.of()));
    recording.begin(100);
    recording.add(
        105,
        new Recording.Reading(
            Optional.empty(), Optional.of(text(before.replace(" 10", " 30"))), Map.of()));

    ControlPlaneRecord record = recording.result(List.of());

    assertThat(record.totals().schedulingAttempts()).isEqualTo(20);
    assertThat(record.totals().unschedulable()).isZero();
    assertThat(record.samples().get(0).values().get(Curve.SCHEDULING_ATTEMPTS)).isEqualTo(4.0);
  }

  @Test
  void usageIsOfLocalProgramsOrWhatTheApiServerTells() {
    String own = "process_cpu_seconds_total %s\nprocess_resident_memory_bytes 1048576\n";
    recording.add(
        100,
        new Recording.Reading(
            Optional.of(text(own.formatted("2"))),
            Optional.empty(),
            Map.of("etcd", new ProcessUsage(Duration.ofSeconds(9), 30, 30))));
    recording.begin(100);
    recording.add(
        110,
        new Recording.Reading(
            Optional.of(text(own.formatted("4.5"))),
            Optional.empty(),
            Map.of("etcd", new ProcessUsage(Duration.ofSeconds(1), 40, 40))));

    assertThat(recording.result(List.of()).components())
        .extracting(usage -> usage.name() + " " + usage.cpuMillis() + " " + usage.peakMiB())
        .containsExactlyInAnyOrder("etcd 1000.0 40.0", "kube-apiserver 2500.0 1.0");
  }
}
