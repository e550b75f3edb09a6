package dev.vertlet.apiserver.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.testsupport.Measuring;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeTableTest {
  private static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }

  @Test
  void aBurstIsSpreadEvenlyOverTheNodesThatTakeIt() {
    NodeTable table = table(1_000);

    assertThat(place(table, 50_000).values()).hasSize(500).containsOnly(100);
  }

  /** A scan of all nodes per pod would take 20 times as long. */
  @Test
  @Measuring
  void aPodIsPlacedWithoutAScanOfAllNodes() {
    assertThat(nanosOfABurst(4_000)).isLessThan(10 * nanosOfABurst(200));
  }

  /** The best of five, so that a pause of the machine is not measured. */
  private static long nanosOfABurst(int nodes) {
    return IntStream.range(0, 5)
        .mapToLong(
            run -> {
              NodeTable table = table(nodes);
              long start = System.nanoTime();
              place(table, 5_000);
              return System.nanoTime() - start;
            })
        .min()
        .orElseThrow();
  }

  /** Every other node takes pods. */
  private static NodeTable table(int nodes) {
    NodeTable table = new NodeTable();
    JsonNode open = json("{'status':{'allocatable':{'pods':'110'}}}");
    JsonNode closed =
        json(
            "{'spec':{'taints':[{'key':'k','effect':'NoSchedule'}]},'status':{'allocatable':{'pods':'110'}}}");
    for (int i = 0; i < nodes; i++) {
      table.update("n" + i, i % 2 == 0 ? open : closed);
    }
    return table;
  }

  /** How many pods each node has got. */
  private static Map<String, Integer> place(NodeTable table, int count) {
    Requirements pod = Requirements.of(json("{'spec':{'containers':[{}]}}"));
    Map<String, Integer> pods = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String picked = table.place(pod).node();
      table.take(picked, pod.demand());
      pods.merge(picked, 1, Integer::sum);
    }
    return pods;
  }

  @Test
  void countsPodsOfNodesThatComeLater() {
    NodeTable table = new NodeTable();
    table.take("a", Demand.NONE);
    table.update("a", json("{'status':{'allocatable':{'pods':'1'}}}"));
    Requirements pod = Requirements.of(json("{'spec':{}}"));

    assertThat(table.place(pod).found()).isFalse();
    table.release("a", Demand.NONE);
    assertThat(table.place(pod).node()).isEqualTo("a");
    table.remove("a");
    assertThat(table.place(pod).message()).isEqualTo("no nodes available to schedule pods");
  }

  @Test
  void demandIsWhatContainersNeedAtOnce() {
    JsonNode pod =
        json(
            "{'spec':{'overhead':{'cpu':'10m'},"
                + "'initContainers':[{'restartPolicy':'Always','resources':{'requests':{'cpu':'100m'}}},"
                + "{'resources':{'requests':{'cpu':'2','memory':'1Mi'}}}],"
                + "'containers':[{'resources':{'requests':{'cpu':'0.5'}}},{'resources':{'requests':{'cpu':1}}}]}}");

    assertThat(Demand.of(pod).amounts())
        .isEqualTo(Map.of("cpu", 2110L, "memory", 1024L * 1024)); // init and sidecar beside it
  }

  @ParameterizedTest
  @CsvSource({
    "In,['5'],true",
    "NotIn,['5'],false",
    "Exists,[],true",
    "DoesNotExist,[],false",
    "Gt,['4'],true",
    "Gt,['5'],false",
    "Lt,['6'],true",
    "Lt,['x'],false"
  })
  void expressionsMeanWhatTheySay(String operator, String values, boolean matches) {
    JsonNode terms =
        json("{'t':[{'matchExpressions':[{'key':'size','operator':'%s','values':%s}]}]}"
                .formatted(operator, values))
            .path("t");

    assertThat(NodeAffinity.matches(terms, "n", json("{'size':'5'}"))).isEqualTo(matches);
  }
}
