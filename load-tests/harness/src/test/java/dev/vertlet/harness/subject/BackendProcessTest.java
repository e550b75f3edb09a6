package dev.vertlet.harness.subject;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.run.RunDir;
import dev.vertlet.harness.scenario.Scenarios;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class BackendProcessTest {
  private static final String HOME = Path.of("..", "..").toAbsolutePath().normalize().toString();

  @AutoClose private final RunDir dir = RunDir.create("vertlet-backend-test-");

  private BackendProcess backend(String home) {
    Map<String, String> environment =
        Map.of("VERTLET_HOME", home, "PATH", System.getenv("PATH"), "HOME", "/tmp");
    LoadPlan plan =
        new LoadPlan(Path.of("/k"), "load-1", "ns", "sa", Scenarios.simple(1, 1, Optional.empty()));
    return new BackendProcess(new SubjectEnvironment(plan, Path.of("/k"), dir, environment));
  }

  /** Runs a pod whose container writes its process id. */
  private static ProcessHandle runPod(URI url, Path pid) throws Exception {
    String pod =
        """
        {"generation": 1, "fingerprint": "f", "node": "n", "pod": {
          "metadata": {"namespace": "ns", "name": "p", "uid": "u"},
          "spec": {"containers": [
            {"name": "main", "image": "i", "command": ["sh", "-c", "echo $$ > %s; exec sleep 600"]}]}}}
        """
            .formatted(pid);
    HttpRequest put =
        HttpRequest.newBuilder(url.resolve("/v1/pods/u"))
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString(pod))
            .build();
    HttpClient client = HttpClient.newHttpClient();
    eventually(
        () ->
            assertThat(client.send(put, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200));
    await().until(() -> Files.exists(pid) && !Files.readString(pid).isBlank());
    return ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
  }

  @Test
  void endsWithTheProcessesOfItsPods() throws Exception {
    BackendProcess backend = backend(HOME);
    backend.start();
    ProcessHandle container = runPod(backend.url(), dir.file("pid"));
    backend.requireAlive();

    backend.close();

    assertThat(container.onExit().get()).isNotNull();
    backend.requireAlive();
  }

  @Test
  void whenItEndsByItselfItsOutputSaysWhy() throws Exception {
    Path home = Files.createDirectories(dir.file("home"));
    Path program = home.resolve("docs/examples/remote/pods.py");
    Files.createDirectories(program.getParent());
    Files.writeString(program, "raise SystemExit('the address is taken')");
    BackendProcess backend = backend(home.toString());
    backend.start();
    try {
      eventually(
          () ->
              assertThatThrownBy(backend::requireAlive)
                  .isInstanceOf(FailedException.class)
                  .hasMessage("the back end ended with exit code 1: the address is taken"));
    } finally {
      backend.close();
    }
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> backend("/nowhere"))
        .isInstanceOf(FailedException.class)
        .hasMessageContaining("/nowhere/docs/examples/remote/pods.py");
  }
}
