package dev.vertlet.harness.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.run.RunDir;
import dev.vertlet.harness.scenario.Scenarios;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerCommandTest {
  @TempDir private Path bin;

  @AutoClose private final RunDir dir = RunDir.create("vertlet-peer-test-");

  private CommandLine commandLine(Peer peer, Map<String, String> environment) {
    LoadPlan plan =
        new LoadPlan(
            Path.of("/admin"), "load-1", "ns", "sa", Scenarios.simple(3, 9, Optional.empty()));
    return PeerCommand.of(peer, new SubjectEnvironment(plan, Path.of("/kube"), dir, environment));
  }

  private Path program(String name) throws Exception {
    return Files.createFile(
        bin.resolve(name),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private static Peer peer(List<Peer.Need> needs, String... command) {
    return new Peer(
        "peer",
        "",
        List.of(command),
        List.of(),
        Map.of("NODE", "{node}"),
        Peer.Nodes.OWN,
        Map.of(),
        Optional.empty(),
        Map.of("conf.yaml", List.of("a: {nodes}", "b: {label}")),
        needs);
  }

  @Test
  void thePlansValuesAreInCommandEnvironmentAndFiles() throws Exception {
    Path program = program("run");

    CommandLine line =
        commandLine(
            peer(List.of(), "run", "{kubeconfig}", "{node_template}", "{dir}/conf.yaml"),
            Map.of("PATH", "/nowhere:" + bin, "VERTLET_SERVER_PORT", "1"));

    assertThat(line.words())
        .containsExactly(
            program.toString(), "/kube", "load-1-node-{i}", dir.file("conf.yaml").toString());
    assertThat(line.environment())
        .containsEntry("NODE", "load-1-node-0")
        .containsKey("PATH")
        .doesNotContainKey("VERTLET_SERVER_PORT");
    assertThat(dir.file("conf.yaml")).hasContent("a: 3\nb: vertlet.dev/load=load-1");
  }

  @Test
  void programsAreAlsoWhereGoInstallsThem() throws Exception {
    Path program = program("run");
    Map<String, String> environment = new HashMap<>(Map.of("PATH", "", "GOBIN", bin.toString()));

    assertThat(commandLine(peer(List.of(), "run"), environment).words())
        .containsExactly(program.toString());
  }

  @Test
  void whatIsMissingComesWithTheCommandThatBringsIt() {
    Map<String, String> environment = Map.of("HOME", "/h");

    assertThatThrownBy(
            () ->
                commandLine(
                    peer(List.of(new Peer.Need.Program("run", "go install run")), "run"),
                    environment))
        .isInstanceOf(FailedException.class)
        .hasMessage("peer needs run, which is not there; this brings it: go install run");
    assertThatThrownBy(
            () ->
                commandLine(
                    peer(List.of(new Peer.Need.File("{gomod:a/b@v1}/c", "go mod")), "run"),
                    environment))
        .hasMessage(
            "peer needs /h/go/pkg/mod/a/b@v1/c, which is not there; this brings it: go mod");
    assertThatThrownBy(() -> commandLine(peer(List.of(), "run"), environment))
        .hasMessage("peer: run is no program that can be run");
    assertThatThrownBy(() -> commandLine(peer(List.of(), "{x}"), environment))
        .isInstanceOf(FailedException.class)
        .hasMessageContaining("peer: command: {x} is no placeholder; there are {dir}, ");
  }
}
