package dev.vertlet.model.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.QosClass;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Kubernetes' three classes of pods. */
class QosTallyTest {
  private static final ResourcesView NONE = ResourcesView.NONE;

  /** Requests and limits, written {@code cpu=1 memory=1Gi}. */
  private static ResourcesView of(String requests, String limits) {
    return new ResourcesView(map(requests), map(limits));
  }

  private static Map<String, String> map(String text) {
    Map<String, String> map = new HashMap<>();
    for (String part : text.isEmpty() ? new String[0] : text.split(" ")) {
      map.put(part.substring(0, part.indexOf('=')), part.substring(part.indexOf('=') + 1));
    }
    return map;
  }

  static Stream<Arguments> pods() {
    String all = "cpu=1 memory=1Gi";
    ResourcesView whole = of(all, all);
    return Stream.of(
        Arguments.of("BEST_EFFORT", NONE, List.of(NONE, NONE)),
        Arguments.of("BEST_EFFORT", NONE, List.of(of("cpu=0", "memory=0"))),
        Arguments.of("BEST_EFFORT", NONE, List.of(of("example.com/gpu=1", "example.com/gpu=1"))),
        Arguments.of("GUARANTEED", NONE, List.of(whole)),
        Arguments.of(
            "GUARANTEED", NONE, List.of(whole, of("cpu=500m memory=1Gi", "cpu=0.5 memory=1024Mi"))),
        Arguments.of("BURSTABLE", NONE, List.of(whole, NONE)),
        Arguments.of("BURSTABLE", NONE, List.of(of("cpu=1", all))),
        Arguments.of("BURSTABLE", NONE, List.of(of("cpu=1", "cpu=1"))),
        Arguments.of("BURSTABLE", NONE, List.of(of("memory=1Gi", ""))),
        Arguments.of("GUARANTEED", whole, List.of(NONE, of("cpu=100m", ""))),
        Arguments.of("BURSTABLE", of("cpu=1", ""), List.of(whole)));
  }

  @ParameterizedTest
  @MethodSource("pods")
  void classesAreKubernetes(
      QosClass expected, ResourcesView whole, List<ResourcesView> containers) {
    QosTally tally = new QosTally();
    containers.forEach(tally::add);

    assertThat(tally.of(whole)).isEqualTo(expected);
  }
}
