package dev.vertlet.model.resource;

import static dev.vertlet.model.wire.Fixtures.JSON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.status.PodResourcesView;
import dev.vertlet.model.wire.EncodedPods;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Resources of a pod as a whole, as a kubelet works them out (kubelet_pods.go, 1.36.3). */
class PodTotalsTest {
  private static final String ONE =
      "{'containers': [{'name': 'c', 'resources': {'requests': %s, 'limits': %s}}]}";

  private static PodSpecView spec(String json) {
    return EncodedPods.withSpec(JSON, json.replace('\'', '"')).spec();
  }

  /** {@code cpu 1 memory 2Gi}, in the order of the names. */
  private static String text(Map<String, String> amounts) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(amounts).forEach((name, amount) -> text.append(" " + name + " " + amount));
    return text.isEmpty() ? "-" : text.substring(1);
  }

  private static String text(PodResourcesView view) {
    String applied = text(view.applied().requests()) + " / " + text(view.applied().limits());
    return text(view.allocated()) + " / " + applied;
  }

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {}                            | {}                              | -                    | -
          {'cpu':'1','memory':'1Gi'}    | {}                              | cpu 1 memory 1Gi     | -
          {'cpu':'1','memory':'1Gi'}    | {'cpu':'2','memory':'2Gi'}      | cpu 1 memory 1Gi     | cpu 2 memory 2Gi
          {'cpu':'1','memory':'100M'}   | {'cpu':'1','memory':'100M'}     | cpu 1 memory 100M    | cpu 1 memory 100000000
          {'cpu':'2m'}                  | {'cpu':'10m'}                   | -                    | -
          {'cpu':'3m'}                  | {'cpu':'11m'}                   | cpu 3m               | cpu 11m
          {'cpu':'1','x.io/y':'2'}      | {'x.io/y':'2'}                  | cpu 1                | -
          {'ephemeral-storage':'1Gi'}   | {'ephemeral-storage':'1Gi'}     | -                    | -
          {'memory':'1Gi'}              | {'memory':'1Gi','cpu':'0'}      | memory 1Gi           | memory 1Gi
          """)
  void aPodThatRunsShowsWhatItsNodeAppliesToIt(
      String asked, String limited, String requests, String limits) {
    PodSpecView spec = spec(ONE.formatted(asked, limited));
    PodResourcesView shown = PodTotals.applied(spec);

    assertThat(text(shown.applied().requests())).isEqualTo(requests);
    assertThat(text(shown.applied().limits())).isEqualTo(limits);
    assertThat(shown.allocated()).isEqualTo(spec.containers().get(0).resources().requests());
    assertThat(PodTotals.granted(spec).applied()).isEqualTo(spec.containers().get(0).resources());
  }

  @Test
  void sumsKeepTheSuffixesOfThePod() {
    PodSpecView spec =
        spec(
            """
            {'containers': [
              {'name': 'a', 'resources': {'requests': {'cpu': '500m', 'memory': '100M'},
                'limits': {'cpu': '1', 'memory': '1Gi'}}},
              {'name': 'b', 'resources': {'requests': {'cpu': '1', 'memory': '100M'},
                'limits': {'cpu': '1', 'memory': '512Mi'}}}]}
            """);

    assertThat(text(PodTotals.granted(spec)))
        .isEqualTo("cpu 1500m memory 200M / cpu 1500m memory 200M / cpu 2 memory 1536Mi");
    assertThat(PodTotals.applied(spec)).isEqualTo(PodTotals.granted(spec));
  }

  @Test
  void aPodIsKeptToNoLimitThatOneOfItsContainersLacks() {
    PodSpecView spec =
        spec(
            """
            {'containers': [
              {'name': 'a', 'resources': {'requests': {'cpu': '1', 'memory': '1Gi'},
                'limits': {'cpu': '1', 'memory': '1Gi'}}},
              {'name': 'b', 'resources': {'limits': {'cpu': '1'}, 'requests': {'cpu': '1'}}}]}
            """);

    assertThat(text(PodTotals.granted(spec)))
        .isEqualTo("cpu 2 memory 1Gi / cpu 2 memory 1Gi / cpu 2 memory 1Gi");
    assertThat(text(PodTotals.applied(spec)))
        .isEqualTo("cpu 2 memory 1Gi / cpu 2 memory 1Gi / cpu 2");
  }

  @Test
  void initContainersCountWhereTheyAreGreaterBesideTheSidecarsBeforeThem() {
    PodSpecView spec =
        spec(
            """
            {'initContainers': [
               {'name': 's', 'restartPolicy': 'Always', 'resources': {'requests': {'cpu': '1'}}},
               {'name': 'i', 'resources': {'requests': {'cpu': '4', 'x.io/y': '1'}}}],
             'containers': [{'name': 'a', 'resources': {'requests': {'cpu': '2'}}}]}
            """);

    assertThat(text(PodTotals.granted(spec))).isEqualTo("cpu 5 x.io/y 1 / cpu 5 x.io/y 1 / -");
    assertThat(text(PodTotals.applied(spec))).isEqualTo("cpu 5 x.io/y 1 / cpu 5 / -");
  }

  @Test
  void aPodsOwnResourcesCountInsteadOfItsContainers() {
    PodSpecView spec =
        spec(
            """
            {'resources': {'requests': {'cpu': '4', 'hugepages-2Mi': '4Mi'},
                           'limits': {'cpu': '5', 'hugepages-2Mi': '4Mi'}},
             'containers': [{'name': 'a', 'resources': {'requests': {'memory': '1Gi'}}}]}
            """);

    assertThat(text(PodTotals.applied(spec)))
        .isEqualTo(
            "cpu 4 hugepages-2Mi 4Mi memory 1Gi / cpu 4 hugepages-2Mi 4Mi memory 1Gi"
                + " / cpu 5 hugepages-2Mi 4Mi");
  }

  @Test
  void overheadIsAddedToRequestsAndToLimitsThatThereAre() {
    PodSpecView spec =
        spec(
            """
            {'overhead': {'cpu': '250m', 'memory': '64Mi'},
             'containers': [{'name': 'a', 'resources': {'requests': {'cpu': '1'},
               'limits': {'cpu': '1'}}}]}
            """);

    assertThat(text(PodTotals.applied(spec)))
        .isEqualTo("cpu 1250m memory 64Mi / cpu 1250m memory 64Mi / cpu 1250m");
  }

  @Test
  void aPodWithOneContainerSharesItsAmounts() {
    PodSpecView spec = spec(ONE.formatted("{'cpu': '1'}", "{'memory': '1Gi'}"));
    ResourcesView own = spec.containers().get(0).resources();

    assertThat(PodTotals.applied(spec).applied()).isSameAs(own);
    assertThat(PodTotals.applied(spec).allocated()).isSameAs(own.requests());
    assertThat(PodTotals.applied(spec("{'containers': [{'name': 'c'}]}")))
        .isSameAs(PodResourcesView.NONE);
  }
}
