package dev.vertlet.harness.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.config.VertletConfig;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.harness.scenario.Placement;
import dev.vertlet.harness.scenario.Scenario;
import dev.vertlet.harness.scenario.Scenarios;
import dev.vertlet.kubelet.KubeletOptions.Profile;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AgentSettingsTest {
  private static VertletConfig config(Placement placement) {
    LoadPlan plan =
        new LoadPlan(
            Path.of("/k"),
            "load-1",
            "ns",
            "sa",
            Scenarios.simple(3, 3_000, Optional.empty()).withPlacement(placement));
    return new AgentSettings(plan, Path.of("/agent"), "fast", Path.of("/data"), 1234)
        .config()
        .config();
  }

  @Test
  void nodesThatAreConfiguredMayBe() {
    assertThat(config(Placement.BOUND).configSync().enabled()).isFalse();
    LoadPlan plan =
        new LoadPlan(
            Path.of("/k"),
            "load-1",
            "ns",
            "sa",
            new Scenario(
                "s",
                "",
                1,
                2,
                Placement.BOUND,
                1,
                30,
                7,
                List.of(new Phase.Rollout("r", false, new JsonObject())),
                List.of(),
                List.of()));

    var sync =
        new AgentSettings(plan, Path.of("/agent"), "fast", Path.of("/data"), 1234)
            .config()
            .config()
            .configSync();

    assertThat(sync.enabled()).isTrue();
    assertThat(sync.allowedNamespaces()).containsExactly("ns-0");
  }

  @Test
  void remoteNodesHaveTheBackEnd() {
    LoadPlan plan =
        new LoadPlan(
            Path.of("/k"), "load-1", "ns", "sa", Scenarios.simple(2, 20, Optional.empty()));
    URI url = URI.create("http://127.0.0.1:8099");

    VertletConfig config =
        new AgentSettings(
                plan, Path.of("/agent"), "kubelet", Path.of("/data"), 1234, Optional.of(url))
            .config()
            .config();

    assertThat(config.nodes()).allSatisfy(node -> assertThat(node.provider()).isEqualTo("remote"));
    assertThat(config.providers().of("remote").text("url")).isEqualTo(url.toString());
  }

  @Test
  void thePlansPodsLeaveRoomForOthersOnNodesThatAreOpenToThem() {
    VertletConfig config = config(Placement.SCHEDULED);

    assertThat(config.nodeSpecs()).allSatisfy(node -> assertThat(node.taints()).isEmpty());
    assertThat(config.nodeSpecs())
        .allSatisfy(node -> assertThat(node.capacity().get("pods")).hasToString("1110"));
  }

  @Test
  void nodesOfALoadTestTurnAwayThePodsOfOthers() {
    assertThat(config(Placement.BOUND).nodeSpecs())
        .allSatisfy(node -> assertThat(node.taints()).isNotEmpty());
  }

  @Test
  void theAgentAcceptsThemAndBringsThePlansNodes() {
    VertletConfig config = config(Placement.BOUND);

    assertThat(config.nodeSpecs())
        .extracting("name")
        .containsExactly("load-1-node-0", "load-1-node-1", "load-1-node-2");
    assertThat(config.nodeSpecs().get(0).labels()).containsEntry(LoadPlan.LABEL, "load-1");
    assertThat(config.agent().profile()).isEqualTo(Profile.FAST);
    assertThat(config.agent().dataDir()).isEqualTo(Path.of("/data"));
    assertThat(config.kubernetes().kubeconfig()).isEqualTo("/agent");
    assertThat(config.server().port()).isEqualTo(1234);
  }
}
