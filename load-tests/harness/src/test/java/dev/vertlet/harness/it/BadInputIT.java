package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.harness.loopback.Kubeconfig;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users get wrong before any API server has answered: exit codes and what they are told. */
class BadInputIT {
  private static final Pattern FAILURES =
      Pattern.compile("is unreachable for \\d+ s \\((\\d+) failures\\)");

  @TempDir private Path folder;
  private @Nullable AgentProcess started;

  @AfterEach
  void end() throws Exception {
    if (started != null) {
      started.close();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lease.durration=20s | /lease/durration: ",
        "lease.duration=-3s | /lease/duration: \"-3s\" ",
        "lease.duration=soon | /lease/duration: \"soon\" ",
        "nodes.0.count=1000000000 | /nodes/0/count: 1000000000 ",
        "nodes.0.name=Not_A_Name | /nodes/0/name: \"Not_A_Name\" "
      })
  void aMistakeInTheConfigurationIsNamedByItsPointer(String setting, String line) throws Exception {
    AgentProcess agent = start(noServer(), "--set", setting);

    assertThat(agent.exitCode()).isEqualTo(2);
    assertThat(agent.log()).startsWith("vertlet: " + line).hasLineCount(1);
  }

  @Test
  void anUnknownContextIsNamedBesideThoseThereAre() throws Exception {
    AgentProcess agent = start(noServer(), "--context", "nowhere");

    assertThat(agent.exitCode()).isEqualTo(2);
    assertThat(lastLine(agent))
        .startsWith("vertlet: context \"nowhere\" is not in kubeconfig ")
        .endsWith(": it has vertlet");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "this: [is no kubeconfig", "apiVersion: v1"})
  void aFileThatIsNoKubeconfigIsNamed(String content) throws Exception {
    Path file = Files.writeString(folder.resolve("wrong.kubeconfig"), content);

    AgentProcess agent = start(file);

    assertThat(agent.exitCode()).isEqualTo(2);
    assertThat(lastLine(agent)).startsWith("vertlet: ").contains("kubeconfig " + file);
  }

  @Test
  void aKubeconfigThatCannotBeReadIsNamed() throws Exception {
    Path none = folder.resolve("none.kubeconfig");

    AgentProcess agent = start(none);

    assertThat(agent.exitCode()).isEqualTo(2);
    assertThat(lastLine(agent))
        .isEqualTo("vertlet: kubeconfig " + none + " cannot be read: no such file");
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = "server.port=" + taken.getLocalPort();

      AgentProcess agent = start(noServer(), "--set", port);

      assertThat(agent.exitCode()).isEqualTo(1);
      assertThat(lastLine(agent))
          .startsWith(
              "vertlet: cannot listen on server.address 127.0.0.1, " + port.replace('=', ' '));
    }
  }

  @Test
  void anAbsentApiServerIsWaitedForAndToldOncePerBackOffStep() throws Exception {
    AgentProcess agent = start(noServer());

    eventually(() -> assertThat(unreachable(agent)).hasSize(4));
    assertThat(agent.status("/readyz")).isEqualTo(503);
    assertThat(agent.status("/healthz")).isEqualTo(200);
    // at first, and after 1, 3 and 7 s, however many attempts there were
    List<String> lines = unreachable(agent);
    Matcher failures = FAILURES.matcher(lines.get(3));
    assertThat(failures.find()).as(lines.get(3)).isTrue();
    assertThat(Integer.parseInt(failures.group(1))).isGreaterThan(lines.size());
    assertThat(agent.terminate()).isZero();
  }

  private static List<String> unreachable(AgentProcess agent) {
    return agent.log().lines().filter(line -> line.contains(" is unreachable")).toList();
  }

  private static String lastLine(AgentProcess agent) {
    List<String> lines = agent.log().lines().toList();
    return lines.get(lines.size() - 1);
  }

  /** A kubeconfig of an API server that is not there. */
  private Path noServer() throws Exception {
    URI server = URI.create("https://127.0.0.1:" + LoopbackPorts.next());
    String ca = CertificateAuthority.create("none", Clock.systemUTC()).certificatePem();
    return Kubeconfig.withToken(server, ca, "none").writeTo(folder.resolve("none"));
  }

  private AgentProcess start(Path kubeconfig, String... arguments) {
    AgentProcess agent =
        AgentProcess.Setup.ofNodes(folder, "bad", 1, kubeconfig).with(arguments).start();
    started = agent;
    return agent;
  }
}
