package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.io.TempDir;

class ClusterExtensionTest {
  @TempDir private Path dir;

  private final List<String> messages = new ArrayList<>();

  @Test
  void withoutAControlPlaneTestsAreSkippedWithTheReason() {
    ConditionEvaluationResult result = evaluate(Shared.class, nothing("false"));

    assertThat(result.isDisabled()).isTrue();
    assertThat(result.getReason().orElseThrow()).startsWith("no Kubernetes control plane: set ");
    assertThat(messages)
        .singleElement()
        .asString()
        .startsWith("Cluster tests skipped: no Kubernetes");
  }

  @Test
  void inCiTheyFailInstead() {
    assertThatThrownBy(() -> evaluate(Shared.class, nothing("true")))
        .hasMessageStartingWith("CI=true, and no Kubernetes control plane");
  }

  @Test
  void anExternalControlPlaneIsNotForTestsThatKill() throws IOException {
    Path kubeconfig = Files.createFile(dir.resolve("kubeconfig"));
    Map<String, String> environment =
        Map.of("VERTLET_IT_KUBECONFIG", kubeconfig.toString(), "CI", "true");

    assertThat(evaluate(Killing.class, environment).isDisabled()).isTrue();
    assertThat(evaluate(Shared.class, environment).isDisabled()).isFalse();
  }

  /** Neither a Go nor what one has built before. */
  private Map<String, String> nothing(String ci) {
    return Map.of("PATH", dir.toString(), "XDG_CACHE_HOME", dir.toString(), "CI", ci);
  }

  private ConditionEvaluationResult evaluate(Class<?> test, Map<String, String> environment) {
    return new ClusterExtension(environment, messages::add)
        .evaluate(test.getAnnotation(ClusterTest.class));
  }

  @ClusterTest
  private static final class Shared {}

  @ClusterTest(own = true)
  private static final class Killing {}
}
