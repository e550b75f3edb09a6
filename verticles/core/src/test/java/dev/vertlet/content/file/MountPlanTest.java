package dev.vertlet.content.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.content.file.MountPlan.Planned;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.provider.container.ContainerMount.Propagation;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mounts of containers, beside the rules of a kubelet. */
class MountPlanTest {
  private static List<Planned> plan(String mount, boolean recursive) {
    PodDefinition pod =
        PodDefinition.read(
            Buffer.buffer(
                """
                {"spec": {"volumes": [{"name": "e", "emptyDir": {}},
                  {"name": "m", "configMap": {"name": "x"}}, {"name": "i", "image": {}}],
                  "containers": [{"name": "c", "volumeMounts": [%s]}]}}
                """
                    .formatted(mount)));
    return MountPlan.of(pod, pod.container("c"), Map.of("A", "sub", "E", ""), recursive);
  }

  private static String mount(String volume, String more) {
    return "{\"name\": \"%s\", \"mountPath\": \"d\"%s}".formatted(volume, more);
  }

  @Test
  void aMountHasAnAbsolutePathAndIsPrivate() {
    Planned planned = plan(mount("e", ""), false).get(0);

    assertThat(planned.path()).isEqualTo("/d");
    assertThat(planned.readOnly()).isFalse();
    assertThat(planned.propagation()).isEqualTo(Propagation.PRIVATE);
    assertThat(planned.subPath()).isEmpty();
  }

  @Test
  void contentIsReadOnly() {
    assertThat(plan(mount("m", ""), false).get(0).readOnly()).isTrue();
  }

  @Test
  void volumesOfOtherKindsAreForTheRuntime() {
    assertThat(plan(mount("i", ""), false)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "HostToContainer, HOST_TO_CONTAINER",
    "Bidirectional, BIDIRECTIONAL",
    "None, PRIVATE"
  })
  void propagationIsThatOfTheMount(String written, Propagation propagation) {
    assertThat(
            plan(mount("e", ", \"mountPropagation\": \"" + written + "\""), false)
                .get(0)
                .propagation())
        .isEqualTo(propagation);
  }

  @Test
  void aSubPathMayHaveVariables() {
    assertThat(plan(mount("e", ", \"subPathExpr\": \"$(A)/x\""), false).get(0).subPath())
        .isEqualTo("sub/x");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      value = {
        "x, '', 'cannot find volume \"x\" to mount into container \"c\"'",
        "e, ', \"subPath\": \"/a\"', error SubPath `/a` must not be an absolute path",
        "e, ', \"subPath\": \"a/../b\"', 'unable to provision SubPath `a/../b`: must not contain"
            + " ''..'''",
        "e, ', \"subPathExpr\": \"$(E)\"', missing value for E",
        "e, ', \"mountPropagation\": \"No\"', 'invalid MountPropagation mode: \"No\"'"
      })
  void anImpossibleMountHasTheWordsOfAKubelet(String volume, String more, String message) {
    assertThatThrownBy(() -> plan(mount(volume, more), false)).hasMessage(message);
  }

  @Test
  void recursiveReadOnlyNeedsTheRuntime() {
    String wanted = ", \"readOnly\": true, \"recursiveReadOnly\": \"%s\"";
    assertThat(plan(mount("e", wanted.formatted("IfPossible")), true).get(0).recursiveReadOnly())
        .isTrue();
    assertThat(plan(mount("e", wanted.formatted("IfPossible")), false).get(0).recursiveReadOnly())
        .isFalse();
    assertThat(plan(mount("e", wanted.formatted("Enabled")), true).get(0).recursiveReadOnly())
        .isTrue();
    String prefix =
        "failed to resolve recursive read-only mode: volume \"e\" requested recursive read-only"
            + " mode, but ";
    assertThatThrownBy(() -> plan(mount("e", wanted.formatted("Enabled")), false))
        .hasMessage(prefix + "it is not supported by the runtime");
    assertThatThrownBy(() -> plan(mount("e", ", \"recursiveReadOnly\": \"Enabled\""), true))
        .hasMessage(prefix + "it is not read-only");
  }
}
