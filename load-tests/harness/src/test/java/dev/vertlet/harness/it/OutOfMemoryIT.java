package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.certificates.CertificateAuthority;
import dev.vertlet.harness.loopback.Kubeconfig;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent whose heap is too small for what it has to hold, with the JVM options that are shipped.
 */
class OutOfMemoryIT {
  private static final Path OPTIONS = Path.of("..", "..", "conf", "java.args");

  /** Of the JVM, for {@code -XX:+ExitOnOutOfMemoryError}. */
  private static final int EXIT_CODE = 3;

  @TempDir private Path folder;

  @Test
  void itEndsAtOnceAndSaysSo() throws Exception {
    Process process =
        Launcher.process(
                folder,
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "@" + OPTIONS,
                    "-Xmn2m",
                    "-Xmx8m",
                    "-cp",
                    JavaBuild.classPath(),
                    "dev.vertlet.agent.Main",
                    "agent",
                    "--config",
                    Path.of("..", "..", "conf", "vertlet.json").toString(),
                    "--kubeconfig",
                    kubeconfig().toString(),
                    "--set",
                    "nodes.0.count=5000",
                    "--set",
                    "server.port=0",
                    "--set",
                    "server.address=127.0.0.1",
                    "--set",
                    "agent.dataDir=" + folder.resolve("data")))
            .start();

    Launcher.Outcome outcome = Launcher.await(process, folder);

    assertThat(outcome.exitCode()).as("%s", outcome).isEqualTo(EXIT_CODE);
    assertThat(outcome.out())
        .containsOnlyOnce("Terminating due to java.lang.OutOfMemoryError: Java heap space");
  }

  /** Of a server that is not there: there is too much to hold before anything is said to it. */
  private Path kubeconfig() throws Exception {
    String authority = CertificateAuthority.create("nobody", Clock.systemUTC()).certificatePem();
    return Kubeconfig.withToken(URI.create("https://127.0.0.1:1"), authority, "none")
        .writeTo(folder.resolve("agent.kubeconfig"));
  }
}
