package dev.vertlet.apiserver.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.testsupport.Measuring;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeTableTest {
  private static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }

  /** With a scan of all nodes per pod this takes minutes. */
  @Test
  @Measuring
  void aBurstIsNotQuadratic() {
    NodeTable table = new NodeTable();
    JsonNode node = json("{'status':{'allocatable':{'pods':'110'}}}");
    JsonNode closed =
        json(
            "{'spec':{'taints':[{'key':'k','effect':'NoSchedule'}]},'status':{'allocatable':{'pods':'110'}}}");
    for (int i = 0; i < 1_000; i++) {
      table.update("n" + i, i % 2 == 0 ? node : closed);
    }
    Requirements pod = Requirements.of(json("{'spec':{'containers':[{}]}}"));
    Map<String, Integer> pods = new HashMap<>();

    long start = System.nanoTime();
    for (int i = 0; i < 50_000; i++) {
      String picked = table.place(pod).node();
      table.take(picked, pod.demand());
      pods.merge(picked, 1, Integer::sum);
    }
    Duration taken = Duration.ofNanos(System.nanoTime() - start);

    assertThat(pods).hasSize(500);
    assertThat(pods.values()).containsOnly(100);
    assertThat(taken).isLessThan(Duration.ofSeconds(30));
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
