package dev.vertlet.harness.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.kubelet.KubeletOptions.Profile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubjectParserTest {
  private static final Path HOME = Path.of("..", "..").toAbsolutePath().normalize();

  private final SubjectParser parser = new SubjectParser(HOME, Profile.KUBELET);

  @Test
  void vertletHasTheProfileOfItsNameOrTheGivenOne() {
    assertThat(new SubjectParser(HOME, Profile.FAST).parse("vertlet"))
        .isEqualTo(new SubjectSpec.Vertlet("vertlet", Profile.FAST, List.of(), Map.of()));
    assertThat(parser.parse("vertlet-fast"))
        .isEqualTo(new SubjectSpec.Vertlet("vertlet-fast", Profile.FAST, List.of(), Map.of()));
    assertThat(parser.parse("vertlet-in-process"))
        .isEqualTo(new SubjectSpec.InProcess("vertlet-in-process", Profile.KUBELET));
  }

  @Test
  void aVariantOfVertletHasJvmOptionsAndPerhapsAnotherJava() {
    assertThat(parser.parse("tier4=JAVA_HOME=/j vertlet-fast -XX:-TieredCompilation '-Da=b c'"))
        .isEqualTo(
            new SubjectSpec.Vertlet(
                "tier4",
                Profile.FAST,
                List.of("-XX:-TieredCompilation", "-Da=b c"),
                Map.of("JAVA_HOME", "/j")));
  }

  @Test
  void remoteNodesHaveABackEndAndContainersWithACommand() {
    SubjectSpec remote = parser.parse("vertlet-remote");

    assertThat(remote)
        .isEqualTo(
            new SubjectSpec.Remote(
                new SubjectSpec.Vertlet("vertlet-remote", Profile.KUBELET, List.of(), Map.of())));
    assertThat(remote.containerCommand()).isNotEmpty();
    assertThat(parser.parse("vertlet").containerCommand()).isEmpty();
    assertThat(parser.parse("r=vertlet-remote -Xmx1g"))
        .isEqualTo(
            new SubjectSpec.Remote(
                new SubjectSpec.Vertlet("r", Profile.KUBELET, List.of("-Xmx1g"), Map.of())));
  }

  @Test
  void peersAreKnownByTheirFiles() {
    SubjectSpec kwok = parser.parse("kwok-4");

    assertThat(kwok.name()).isEqualTo("kwok-4");
    assertThat(kwok.nodes()).isEqualTo(Peer.Nodes.CREATED);
    Peer changed = ((SubjectSpec.Program) parser.parse("k=A=b kwok-4 --v=INFO")).peer();
    assertThat(changed.name()).isEqualTo("k");
    assertThat(changed.command()).startsWith("kwok").endsWith("--v=INFO");
    assertThat(changed.environment()).containsEntry("A", "b");
  }

  @Test
  void anyCommandIsASubject() {
    Peer peer = ((SubjectSpec.Program) parser.parse("x=A= ./run {kubeconfig} 'a b'")).peer();

    assertThat(peer.command()).containsExactly("./run", "{kubeconfig}", "a b");
    assertThat(peer.environment()).containsEntry("A", "");
    assertThat(peer.nodes()).isEqualTo(Peer.Nodes.OWN);
  }

  @Test
  void aDefinitionMayLieAnywhere(@TempDir Path dir) throws Exception {
    Path file =
        Files.writeString(
            dir.resolve("p.json"), "{\"name\": \"p\", \"command\": [\"a\"], \"maxNodes\": 1}");

    assertThat(parser.parse(file.toString()).maxNodes()).contains(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kwok | \"kwok\" is no subject; there are ",
        "../x | \"../x\" is no subject",
        "x= | \"x=\" must be followed by a command",
        "x=A=b | \"x=\" must be followed by a command",
        "a b=c | \"a b\" is no name",
        "x=vertlet fast | x: \"fast\" must be a JVM option",
        "x=vertlet-in-process -Xmx1g | takes no options",
        "/nowhere.json | cannot read /nowhere.json"
      })
  void whatIsWrongIsNamed(String text, String message) {
    assertThatThrownBy(() -> parser.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"name\": \"p\"} | command: null must be a list of texts",
        "{\"name\": \"p\", \"command\": []} | command: [] must be a list of at least one word",
        "{\"name\": \"p\", \"command\": [1]} | command.0: 1 must be a text",
        "{\"command\": [\"a\"]} | name: null must be a text that is not empty",
        "{\"name\": \"p\", \"command\": [\"a\"], \"x\": 1} | x: 1 is no key here; there are $schema",
        "{\"name\": \"p\", \"command\": [\"a\"], \"nodes\": \"no\"} | nodes: no must be own or created",
        "{\"name\": \"p\", \"command\": [\"a\"], \"maxNodes\": 0} | maxNodes: 0 must be a whole",
        "{\"name\": \"p\", \"command\": [\"a\"], \"files\": {\"../x\": []}} | files: ../x must be",
        "{\"name\": \"p\", \"command\": [\"a\"], \"needs\": [{}]} | needs.0: {} must be an object of",
        "[] | is no JSON object"
      })
  void mistakesInADefinitionAreNamed(String json, String message, @TempDir Path dir)
      throws Exception {
    Path file = Files.writeString(dir.resolve("p.json"), json);

    assertThatThrownBy(() -> parser.parse(file.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(message);
  }
}
