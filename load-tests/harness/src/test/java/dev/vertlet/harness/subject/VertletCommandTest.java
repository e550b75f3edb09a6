package dev.vertlet.harness.subject;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VertletCommandTest {
  private static final Path HOME = Path.of("..", "..").toAbsolutePath().normalize();

  @Test
  void itRunsWithTheLaunchersOptionsAndThoseOfTheUserLast() throws Exception {
    Map<String, String> environment =
        Map.of("VERTLET_HOME", HOME.toString(), "VERTLET_JAVA_OPTS", " -Xmx1g  -Dx=y ");

    List<String> command = VertletCommand.words(environment, List.of("-Dz"), Path.of("/config"));

    assertThat(command.subList(1, command.indexOf("-cp")))
        .containsExactly(
            "@" + HOME.resolve("conf/java.args"),
            "@" + HOME.resolve("conf/agent.args"),
            "-Xmx1g",
            "-Dx=y",
            "-Dz");
    assertThat(Files.readString(HOME.resolve("vertlet"))).contains("@$home/conf/agent.args");
    assertThat(Files.readString(HOME.resolve("conf/agent.args"))).contains("-Xmx");
  }

  @Test
  void itHasTheArchiveThatTheLauncherMadeIfThereIsOne(@TempDir Path lib) throws Exception {
    Path jar = lib.resolve("vertlet-agent.jar");
    assertThat(VertletCommand.archive(jar)).isEmpty();

    Path archive = Files.createFile(lib.resolve("agent.jsa"));

    assertThat(VertletCommand.archive(jar))
        .containsExactly("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off");
    assertThat(Files.readString(HOME.resolve("vertlet")))
        .contains("archive=$lib/agent.jsa", "\"-XX:SharedArchiveFile=$archive\" -Xlog:cds=off");
  }
}
