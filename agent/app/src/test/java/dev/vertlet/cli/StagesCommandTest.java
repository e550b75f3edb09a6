package dev.vertlet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class StagesCommandTest {
  private static final String EXAMPLES =
      Path.of("..", "..", "conf", "examples", "stages").toString();

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine command =
        StagesCommand.tree().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return Cli.run(command, args);
  }

  private String pod(String status) throws IOException {
    Path file = folder.resolve("pod.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: web, namespace: default, uid: u}
        spec:
          nodeName: n
          containers: [{name: c, image: i}]
        status: %s
        """
            .formatted(status));
    return file.toString();
  }

  @Test
  void validatesAndCounts() {
    assertThat(run("validate", EXAMPLES)).as(err.toString()).isZero();
    assertThat(out).asString().contains("OK: 4 stages of 2 kinds: v1 Node, v1 Pod");
  }

  @Test
  @Tag("G06")
  void namesEveryMistakeOnALineOfItsOwn() throws IOException {
    Path file = folder.resolve("s.yaml");
    Files.writeString(
        file,
        """
        apiVersion: kwok.x-k8s.io/v1alpha1
        kind: Stage
        metadata: {name: a}
        spec:
          resourceRef: {kind: Pod}
          selector:
            matchExpressions:
            - {key: '.a | nothing', operator: Exists}
          weightFrom: {cel: {expression: 'self.'}}
        """);
    assertThat(run("validate", file.toString())).isEqualTo(2);
    assertThat(err.toString().lines())
        .hasSize(2)
        .anyMatch(line -> line.contains("s.yaml:8:") && line.contains("unknown function nothing"))
        .anyMatch(line -> line.contains("s.yaml:9:") && line.contains("CEL"));
  }

  @Test
  void explainsWhatMatchesWhyAndWhen() throws IOException {
    assertThat(run("explain", EXAMPLES, pod("{phase: Pending}"))).as(err.toString()).isZero();
    assertThat(out)
        .asString()
        .contains(
            "pod-ready: matches; chosen with a chance of 95.00 % (weight 95), played after 1s to 3s",
            "  event Normal Started: the containers run",
            "  patches (strategic, status) {\"status\":{\"phase\":\"Running\"",
            "pod-failed: matches; chosen with a chance of 5.000 % (weight 5), played at once",
            "pod-deleted: does not match: .metadata.deletionTimestamp yields nothing, and must be"
                + " Exists");
  }

  @Test
  void saysThatAnObjectRests() throws IOException {
    assertThat(run("explain", EXAMPLES, pod("{phase: Running}"))).isZero();
    assertThat(out).asString().contains("The object rests: no stage matches it as it is.");
  }

  @Test
  void refusesAFileWithoutAnObject() throws IOException {
    Path file = folder.resolve("none.yaml");
    Files.writeString(file, "a: b\n");
    assertThat(run("explain", EXAMPLES, file.toString())).isEqualTo(1);
    assertThat(err).asString().contains("none.yaml");
  }
}
