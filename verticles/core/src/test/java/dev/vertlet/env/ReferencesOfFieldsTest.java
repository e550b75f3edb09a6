package dev.vertlet.env;

import static dev.vertlet.testing.EnvPods.container;
import static dev.vertlet.testing.EnvPods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.container.EnvironmentView.ValueFrom;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** fieldRef and resourceFieldRef: virtual-kubelet §1.11 and kubelet C30. */
class ReferencesOfFieldsTest {
  private static final PodFacts FACTS =
      new PodFacts(
          List.of("10.1.0.5", "fd01::5"),
          List.of("192.168.0.1", "fd00::1"),
          Map.of("cpu", "3920m", "memory", "15Gi", "pods", "110"));

  private static final PodFacts NOWHERE = new PodFacts(List.of(), List.of(), Map.of());

  @ParameterizedTest(name = "1.11 {0} is {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "metadata.name|p",
        "metadata.namespace|ns",
        "metadata.uid|uid-p",
        "metadata.labels['a']|1",
        "metadata.labels['none']|''",
        "metadata.labels['']|''",
        "metadata.annotations['vertlet.dev/q']|\"\u00e9\u0001\"",
        "spec.nodeName|node-1",
        "spec.host|node-1",
        "spec.serviceAccountName|robot",
        "status.podIP|10.1.0.5",
        "status.podIPs|10.1.0.5,fd01::5",
        "status.hostIP|192.168.0.1",
        "status.hostIPs|192.168.0.1,fd00::1"
      })
  void fields(String path, String expected) throws EnvironmentException {
    assertThat(field("v1", path, FACTS)).isEqualTo(expected);
  }

  /** 1.11: sorted lines, values quoted as Go does. */
  @Test
  void mapsAreSortedAndQuoted() throws EnvironmentException {
    assertThat(field("v1", "metadata.labels", FACTS)).isEqualTo("a=\"1\"\nb=\"2\"");
    assertThat(field("v1", "metadata.annotations", FACTS))
        .isEqualTo("note=\"x\\ny\"\nvertlet.dev/q=\"\\\"\u00e9\\x01\\\"\"");
  }

  @Test
  void quotesLikeGo() {
    StringBuilder out = new StringBuilder();

    GoQuote.append(out, "\\\u0007\b\f\r\t\u000b\u007f\u00a0\u200b\u2028\ue000\ud83d\ude00");
    out.append(' ');
    GoQuote.append(out, new String(Character.toChars(0xe0001)));

    assertThat(out)
        .hasToString(
            "\"\\\\\\a\\b\\f\\r\\t\\v\\x7f\\u00a0\\u200b\\u2028\\ue000\ud83d\ude00\""
                + " \"\\U000e0001\"");
  }

  @ParameterizedTest(name = "1.11 {0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "v2|metadata.name|unsupported pod version: v2",
        "v1|status.phase|unsupported fieldPath: status.phase",
        "v1|spec.restartPolicy|unsupported fieldPath: spec.restartPolicy",
        "v1|spec.schedulerName|unsupported fieldPath: spec.schedulerName",
        "v1|spec.colour|field label not supported: spec.colour",
        "v1|spec.colour['a']|field label does not support subscript: spec.colour['a']",
        "v1|metadata.labels['|field label not supported: metadata.labels['"
      })
  void fieldsThatAreNone(String version, String path, String message) {
    assertThatThrownBy(() -> field(version, path, FACTS)).hasMessage(message);
  }

  @Test
  void addressesThatAreNotThereAreEmpty() throws EnvironmentException {
    assertThat(field("v1", "status.podIP", NOWHERE)).isEmpty();
    assertThat(field("v1", "status.hostIPs", NOWHERE)).isEmpty();
  }

  @ParameterizedTest(name = "C30 {1} of \"{0}\" by {2} is {3}")
  @CsvSource({
    "'', limits.cpu, '', 2",
    "'', limits.cpu, 1m, 1500",
    "'', limits.cpu, 0, 2",
    "'', requests.cpu, 1, 1",
    "'', requests.cpu, 1m, 250",
    "'', limits.memory, '', 16106127360",
    "'', limits.memory, 1Gi, 15",
    "'', requests.memory, 1Mi, 102",
    "'', requests.memory, 1k, 105907",
    "'', limits.ephemeral-storage, '', 0",
    "'', requests.ephemeral-storage, '', 0",
    "'', requests.hugepages-2Mi, 1Mi, 4",
    "'', limits.hugepages-2Mi, 1Mi, 4",
    "'', limits.hugepages-1Gi, '', 0",
    "zero, limits.cpu, 1m, 3920",
    "shared, limits.cpu, 1m, 8000",
    "shared, limits.memory, 1Gi, 15",
    "shared, requests.cpu, 1m, 0",
    "zero, requests.memory, '', 0",
    "setup, requests.cpu, 1m, 100",
    "setup, limits.cpu, 1m, 0"
  })
  @Tag("C30")
  void resources(String container, String resource, String divisor, String expected)
      throws EnvironmentException {
    assertThat(resource(container, resource, divisor)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "C30 {1} of \"{0}\": {2}")
  @CsvSource({
    "'', limits.pods, unsupported container resource : limits.pods",
    "'', cpu, unsupported container resource : cpu",
    "'', usage.cpu, unsupported container resource : usage.cpu",
    "nobody, limits.cpu, container nobody not found"
  })
  @Tag("C30")
  void resourcesThatAreNone(String container, String resource, String message) {
    assertThatThrownBy(() -> resource(container, resource, "")).hasMessage(message);
  }

  private static String field(String version, String path, PodFacts facts)
      throws EnvironmentException {
    return FieldReference.value(new ValueFrom.Field(version, path), pod(), facts);
  }

  private static String resource(String name, String resource, String divisor)
      throws EnvironmentException {
    ContainerView own =
        named(
            "c",
            new ResourcesView(
                Map.of("cpu", "250m", "memory", "105906177", "hugepages-2Mi", "4Mi"),
                Map.of("cpu", "1500m", "hugepages-2Mi", "4Mi")));
    ContainerView zero = named("zero", new ResourcesView(Map.of(), Map.of("cpu", "0")));
    ContainerView shared =
        named("shared", new ResourcesView(Map.of(), Map.of(), Map.of("cpu", "8", "memory", "0")));
    ContainerView setup = named("setup", new ResourcesView(Map.of("cpu", "100m"), Map.of()));
    PodView pod = pod(true, List.of(setup), List.of(own, zero, shared));
    return ResourceReference.value(
        new ValueFrom.Resource(name, resource, divisor), pod, own, FACTS);
  }

  private static ContainerView named(String name, ResourcesView resources) {
    return container(name, new EnvironmentView(List.of(), List.of()), resources);
  }
}
