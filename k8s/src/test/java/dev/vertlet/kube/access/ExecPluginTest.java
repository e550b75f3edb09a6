package dev.vertlet.kube.access;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.kube.AccessException;
import io.fabric8.kubernetes.api.model.ExecConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plugins that do not end, or leave somebody behind. */
class ExecPluginTest {
  private static final Duration SHORT = Duration.ofSeconds(2);

  @TempDir Path directory;

  /** Whatever happened, no test leaves a process behind. */
  @AfterEach
  void killTheChild() throws IOException {
    ProcessHandle.of(childPid()).ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  void aHungPluginIsKilledWithItsChildren() throws IOException {
    ExecPlugin plugin = plugin("sleep 600 & echo $! > child; wait", SHORT);

    assertThatThrownBy(() -> plugin.run("kubeconfig"))
        .isInstanceOf(AccessException.class)
        .hasMessage("kubeconfig: exec plugin ./plugin.sh did not end within 2000 ms");
    eventually(() -> assertThat(isAlive(childPid())).isFalse());
  }

  @Test
  void aChildThatKeepsTheOutputOpenDoesNotKeepTheCredential() throws IOException {
    ExecPlugin plugin =
        plugin(
            """
            sleep 600 & echo $! > child
            echo '{"apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}}'
            """,
            Duration.ofMinutes(5));

    ExecPlugin.Credential credential = plugin.run("kubeconfig");
    assertThat(credential.token()).isEqualTo("t");
    assertThat(isAlive(childPid())).isTrue();
  }

  private ExecPlugin plugin(String script, Duration limit) throws IOException {
    Path file = directory.resolve("plugin.sh");
    Files.writeString(file, "#!/bin/sh\ncd \"$(dirname \"$0\")\"\n" + script);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return new ExecPlugin(
        new ExecConfigBuilder()
            .withApiVersion("client.authentication.k8s.io/v1")
            .withCommand("./plugin.sh")
            .build(),
        directory,
        limit);
  }

  private long childPid() throws IOException {
    return Long.parseLong(Files.readString(directory.resolve("child")).strip());
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }
}
