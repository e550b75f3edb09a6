package dev.vertlet.cri.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.GrpcStatus;
import dev.vertlet.cri.wire.StatusMessages.VersionResponse;
import dev.vertlet.host.files.Workers;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class CriNodeTest {
  private final Vertx vertx = Vertx.vertx();
  private Future<VersionResponse> answer =
      Future.failedFuture(new GrpcException(GrpcStatus.UNAVAILABLE, "away"));
  private final CriNode node = new CriNode(new Workers(vertx), () -> answer);

  @AfterEach
  void close() {
    Waits.get(vertx.close());
  }

  private static NodeSpec configured() {
    return new NodeSpec(
        "n",
        Map.of(),
        Map.of(),
        List.of(),
        Map.of("cpu", "4"),
        Map.of("cpu", "3"),
        List.of(),
        Map.of("containerRuntimeVersion", "vertlet://1", "kernelVersion", "made up"),
        "");
  }

  private void version(String text) {
    answer = Future.succeededFuture(new VersionResponse("0.1.0", "containerd", text, "v1"));
  }

  @Test
  void aNodeShowsItsMachine() {
    Waits.get(node.read());

    NodeSpec spec = node.over(configured());

    assertThat(spec.nodeInfo())
        .containsKeys("bootID", "architecture", "osImage")
        .containsEntry("operatingSystem", "linux")
        .containsEntry("containerRuntimeVersion", "vertlet://1")
        .doesNotContainEntry("kernelVersion", "made up");
    assertThat(spec.capacity()).containsEntry("cpu", "4");
    assertThat(spec.allocatable()).containsEntry("cpu", "3");
  }

  @Test
  void aNodeShowsTheVersionOfTheRuntimeAlsoAfterItWasReplaced() {
    assertThat(node.refresh().failed()).isTrue();
    version("v2.4.2");
    assertThat(Waits.get(node.refresh())).isTrue();
    assertThat(Waits.get(node.refresh())).isFalse();
    assertThat(node.over(configured()).nodeInfo())
        .containsEntry("containerRuntimeVersion", "containerd://2.4.2");

    version("1.6.20~ds1");

    assertThat(Waits.get(node.refresh())).isTrue();
    assertThat(node.over(configured()).nodeInfo())
        .containsEntry("containerRuntimeVersion", "containerd://1.6.20~ds1");
  }
}
