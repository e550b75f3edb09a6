package dev.vertlet.harness.subject;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.config.process.BuildInfo;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.run.RunDir;
import dev.vertlet.harness.scenario.Scenarios;
import dev.vertlet.kubelet.KubeletOptions.Profile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubjectVersionTest {
  @AutoClose private final RunDir dir = RunDir.create("vertlet-version-test-");

  @TempDir private Path folder;

  private SubjectVersion version(SubjectSpec spec) throws InterruptedException {
    LoadPlan plan =
        new LoadPlan(
            Path.of("/admin"), "load-1", "ns", "sa", Scenarios.simple(3, 9, Optional.empty()));
    return SubjectVersion.of(
        spec,
        new SubjectEnvironment(
            plan, Path.of("/kube"), dir, Map.of("PATH", System.getenv().getOrDefault("PATH", ""))));
  }

  /** Of a peer as a file defines it. */
  private SubjectVersion version(String command) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("peer.json"),
            "{\"name\": \"peer\", \"command\": [\"true\"]%s}".formatted(command));
    return version(new SubjectSpec.Program(PeerReader.read(file)));
  }

  private SubjectVersion shell(String script) throws Exception {
    return version(
        ", \"environment\": {\"OF\": \"{node}\"}, \"version\": [\"sh\", \"-c\", \"%s\"]"
            .formatted(script));
  }

  @Test
  void vertletsVersionIsThatOfTheBuild() throws Exception {
    assertThat(version(new SubjectSpec.InProcess("vertlet-in-process", Profile.FAST)))
        .satisfies(
            version -> {
              assertThat(version.text()).startsWith("vertlet " + BuildInfo.get().version());
              assertThat(version.trouble()).isEmpty();
            });
  }

  @Test
  void aPeersVersionIsTheFirstLineItTells() throws Exception {
    assertThat(shell("echo; echo peer v1 of $OF; echo built today"))
        .isEqualTo(new SubjectVersion("peer v1 of load-1-node-0", ""));
    assertThat(shell("echo peer v2 >&2").text()).isEqualTo("peer v2");
  }

  @Test
  void aPeerWithoutSuchACommandHasNoVersion() throws Exception {
    assertThat(version("")).isEqualTo(new SubjectVersion("", ""));
    assertThat(version(new SubjectSpec.Program(Peer.of("x", List.of("true"), Map.of()))))
        .isEqualTo(new SubjectVersion("", ""));
  }

  @Test
  void whatDoesNotTellItsVersionIsSaidAndNoMore() throws Exception {
    assertThat(shell("echo what?; exit 3"))
        .isEqualTo(
            new SubjectVersion(
                "",
                "the version of peer is not known: "
                    + new Installed(System.getenv()).program("sh").orElseThrow()
                    + " ends with exit code 3 and says: what?"));
    assertThat(shell("true").trouble()).endsWith("/sh says nothing");
    assertThat(version(", \"version\": [\"no-such-program\"]").trouble())
        .isEqualTo(
            "the version of peer is not known: peer: no-such-program is no program that can be run");
    assertThat(version(", \"version\": [\"sh\", \"{what}\"]").trouble())
        .startsWith("the version of peer is not known: version: {what} is no placeholder;");
  }
}
