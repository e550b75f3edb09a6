package dev.vertlet.stages.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StageFilesTest {
  private static final String STAGE =
      """
      apiVersion: kwok.x-k8s.io/v1alpha1
      kind: Stage
      metadata:
        name: %s
      spec:
        resourceRef:
          kind: Pod
        selector: {}
      """;

  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private List<String> names(Path... paths) {
    return StageFiles.load(List.of(paths)).stages().stream().map(Stage::name).toList();
  }

  private static List<String> problems(Path... paths) {
    StageException refused =
        catchThrowableOfType(StageException.class, () -> StageFiles.load(List.of(paths)));
    assertThat(refused).as("the stages are refused").isNotNull();
    return refused.problems().stream().map(StageProblem::toString).toList();
  }

  @Test
  void readsDocumentsListsAndDirectories() throws IOException {
    file("dir/b.yaml", STAGE.formatted("c") + "---\n" + STAGE.formatted("d") + "---\n");
    file(
        "dir/a.json",
        """
        {"apiVersion": "v1", "kind": "List", "items": [
          {"apiVersion": "kwok.x-k8s.io/v1alpha1", "kind": "Stage", "metadata": {"name": "a"},
           "spec": {"resourceRef": {"kind": "Pod"}}},
          {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}}]}
        """);
    file("dir/notes.txt", "no stage");
    StageFiles.Loaded loaded = StageFiles.load(List.of(folder.resolve("dir")));
    assertThat(loaded.stages()).extracting(Stage::name).containsExactly("a", "c", "d");
    assertThat(loaded.ignored()).singleElement().asString().endsWith("a.json: v1 ConfigMap");
    assertThat(loaded.stages().get(0).selector()).isNull();
  }

  @Test
  void aKustomizationStandsForItsResources() throws IOException {
    file("k/kustomization.yaml", "resources:\n- ../other\n- own.yaml\n");
    file("k/own.yaml", STAGE.formatted("own"));
    file("k/unnamed.yaml", STAGE.formatted("unnamed"));
    file("other/one.yaml", STAGE.formatted("one"));
    assertThat(names(folder.resolve("k"))).containsExactly("one", "own");
  }

  @Test
  @Tag("G06")
  void aKustomizationMayDoNothingElse() throws IOException {
    file(
        "k/kustomization.yaml",
        "resources:\n- missing.yaml\n- https://example.com/x\npatches: []\n");
    assertThat(problems(folder.resolve("k")))
        .anyMatch(p -> p.contains(":4:1: patches: unknown field; allowed are apiVersion,"))
        .anyMatch(p -> p.contains(":2:3: resources[0]: \"missing.yaml\" must be a file"))
        .anyMatch(p -> p.contains(":3:3: resources[1]: \"https://example.com/x\""))
        .hasSize(3);
  }

  @Test
  void nextBecomesSteps() throws IOException {
    Path file =
        file(
            "s.yaml",
            STAGE.formatted("a")
                + """
                  next:
                    delete: true
                    statusTemplate: 'phase: x'
                    statusPatchAs: {username: someone}
                    finalizers: {add: [{value: f}]}
                    event: {reason: R}
                """);
    Stage stage = StageFiles.load(List.of(file)).stages().get(0);
    assertThat(stage.steps())
        .hasExactlyElementsOfTypes(
            Step.Event.class, Step.Finalizers.class, Step.Patch.class, Step.Delete.class);
    assertThat(stage.steps().get(2))
        .isInstanceOfSatisfying(
            Step.Patch.class,
            patch -> {
              assertThat(patch.subresource()).isEqualTo("status");
              assertThat(patch.root()).isEqualTo("status");
              assertThat(patch.user()).isEqualTo("someone");
            });
  }

  @Test
  void stepsWinOverNext() throws IOException {
    Path file =
        file("s.yaml", STAGE.formatted("a") + "  next: {delete: true}\n  steps: [{event: {}}]\n");
    assertThat(StageFiles.load(List.of(file)).stages().get(0).steps())
        .hasExactlyElementsOfTypes(Step.Event.class);
  }

  @Test
  @Tag("G06")
  void namesEveryMistakeWithItsPlace() throws IOException {
    Path file =
        file(
            "s.yaml",
            """
            apiVersion: kwok.x-k8s.io/v2
            kind: Stage
            metadata: {name: a}
            spec:
              resourceRef: {apiGroup: v1}
              selector:
                matchExpressions:
                - key: .a
                  operator: Is
                - key: .b
                  operator: In
              weight: -1
              delay:
                durationMilliseconds: soon
              nexts: {}
            """);
    assertThat(problems(file))
        .containsExactlyInAnyOrder(
            file + ":1:13: apiVersion: \"kwok.x-k8s.io/v2\" must be kwok.x-k8s.io/v1alpha1",
            file + ":5:16: spec.resourceRef.kind: must be set",
            file
                + ":9:17: spec.selector.matchExpressions[0].operator: \"Is\" must be one of In,"
                + " NotIn, Exists, DoesNotExist",
            file
                + ":10:7: spec.selector.matchExpressions[1].values: must have a value for the"
                + " operator In",
            file + ":12:11: spec.weight: -1 must be a whole number from 0 up",
            file
                + ":14:27: spec.delay.durationMilliseconds: \"soon\" must be a whole number from 0"
                + " up",
            file
                + ":15:3: spec.nexts: unknown field; allowed are delay, immediateNextStage, next,"
                + " resourceRef, selector, steps, weight, weightFrom");
  }

  @Test
  @Tag("G06")
  void brokenYamlAndMissingFilesAreNamed() throws IOException {
    Path broken = file("broken.yaml", "a: [1\nb: 2\n");
    Path missing = folder.resolve("missing.yaml");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThat(problems(broken, missing, empty))
        .anyMatch(p -> p.startsWith(broken + ":2:") && p.contains("is not YAML"))
        .contains(missing + ": does not exist", empty + ": has no .yaml, .yml or .json file");
  }
}
