package dev.vertlet.harness.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.scenario.Scenarios;
import dev.vertlet.harness.subject.SubjectParser;
import dev.vertlet.harness.subject.SubjectSpec;
import dev.vertlet.kubelet.KubeletOptions.Profile;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeObjectsTest {
  @Test
  void theyHaveRoomForThePodsAndNoTaint() {
    SubjectSpec kwok =
        new SubjectParser(Path.of("..", "..").toAbsolutePath().normalize(), Profile.FAST)
            .parse("kwok-4");
    LoadPlan plan =
        new LoadPlan(
            Path.of("/k"), "load-1", "ns", "sa", Scenarios.simple(2, 1_000, Optional.empty()));

    JsonObject node =
        new NodeObjects(plan, ((SubjectSpec.Program) kwok).peer()).manifest(1).toJsonObject();

    JsonObject metadata = node.getJsonObject("metadata");
    assertThat(metadata.getString("name")).isEqualTo("load-1-node-1");
    assertThat(metadata.getJsonObject("labels").getString(LoadPlan.LABEL)).isEqualTo("load-1");
    assertThat(metadata.getJsonObject("annotations").getString("kwok.x-k8s.io/node"))
        .isEqualTo("fake");
    assertThat(node.containsKey("spec")).isFalse();
    assertThat(node.getJsonObject("status").getJsonObject("allocatable").getString("pods"))
        .isEqualTo("610");
  }
}
