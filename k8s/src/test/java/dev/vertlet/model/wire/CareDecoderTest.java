package dev.vertlet.model.wire;

import static dev.vertlet.model.wire.Fixtures.JSON;
import static dev.vertlet.model.wire.Fixtures.PROTOBUF;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerCare;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.model.pod.PlacementView;
import dev.vertlet.model.pod.PlacementView.HostPort;
import dev.vertlet.model.pod.PlacementView.Requirement;
import dev.vertlet.model.pod.PlacementView.Term;
import dev.vertlet.model.pod.PlacementView.Toleration;
import dev.vertlet.model.pod.PodRequests;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.resource.Quantities;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Probes, hooks and placement: a pod with all of them, in the API's own encodings. */
class CareDecoderTest {
  private static PodSpecView spec(String contentType, int index) {
    String name = contentType.equals(JSON) ? "care.json" : "care.pb";
    return new PodDecoder()
        .decodeList(contentType, Fixtures.buffer(name))
        .items()
        .get(index)
        .spec();
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void decodesProbesAndHooks(String contentType) {
    PodSpecView spec = spec(contentType, 0);

    assertThat(spec.initContainers().get(0).care()).isNull();
    assertThat(spec.initContainers().get(1).care())
        .isEqualTo(
            new ContainerCare(
                new ProbeView(new HandlerView.Grpc(9000, "health"), 0, 3, 2, 1, 30, null),
                null,
                null,
                null,
                null));
    assertThat(spec.containers().get(0).care())
        .isEqualTo(
            new ContainerCare(
                null,
                new ProbeView(
                    new HandlerView.HttpGet(
                        "HTTPS", "h", "8080", "/healthz", List.of("X-A: b", "Accept: */*")),
                    5,
                    2,
                    7,
                    1,
                    4,
                    9L),
                new ProbeView(new HandlerView.TcpSocket("", "5432"), 0, 1, 10, 2, 3, null),
                new HandlerView.Exec(List.of("sh", "-c", "true")),
                new HandlerView.Sleep(4)));
    assertThat(spec.containers().get(1).care())
        .isEqualTo(
            new ContainerCare(
                new ProbeView(new HandlerView.Exec(List.of("cat", "/ok")), 0, 1, 10, 1, 3, null),
                null,
                null,
                null,
                new HandlerView.HttpGet("HTTP", "", "80", "stop", List.of())));
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void decodesWhatAPodAsksOfItsNode(String contentType) {
    PlacementView placement = spec(contentType, 0).placement();

    // the init container's 2 CPUs count more than the 350m that run together, then the overhead
    assertThat(placement.requests())
        .isEqualTo(
            new PodRequests(
                2050,
                1729L << 20,
                1L << 30,
                Map.of("example.com/gpu", 2L, "hugepages-2Mi", 4L << 20)));
    assertThat(placement.hostPorts()).containsExactly(new HostPort("10.0.0.1", "UDP", 9001));
    assertThat(placement.nodeSelector()).isEqualTo(Map.of("disk", "ssd"));
    assertThat(placement.os()).isEqualTo("linux");
    assertThat(placement.tolerations())
        .containsExactly(
            new Toleration("k", "Equal", "v", "NoExecute"), new Toleration("", "Exists", "", ""));
    assertThat(placement.affinity())
        .containsExactly(
            new Term(
                List.of(
                    new Requirement("zone", "In", List.of("a", "b")),
                    new Requirement("gpu", "Exists", List.of())),
                List.of()),
            new Term(List.of(), List.of(new Requirement("metadata.name", "In", List.of("n1")))));
  }

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void requestsOfThePodAsAWholeCountBeforeItsContainers(String contentType) {
    assertThat(spec(contentType, 1).placement().requests())
        .isEqualTo(new PodRequests(3000, 1L << 30, 2L << 30, Map.of()));
  }

  @ParameterizedTest(name = "{0} is {1} thousandths and {2} units")
  @CsvSource({
    "0, 0, 0",
    "1, 1000, 1",
    "250m, 250, 1",
    "1.5, 1500, 2",
    "100u, 1, 1",
    "128Mi, 134217728000, 134217728",
    "1.5Gi, 1610612736000, 1610612736",
    "2k, 2000000, 2000",
    "1e3, 1000000, 1000",
    "9E, 9223372036854775807, 9000000000000000000"
  })
  void countsQuantities(String text, long milli, long units) {
    assertThat(Quantities.milli(text)).isEqualTo(milli);
    assertThat(Quantities.units(text)).isEqualTo(units);
  }
}
