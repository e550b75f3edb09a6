package dev.vertlet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An agent in a process of its own, without the jars of the modules that may be missing. */
class OptionalModulesTest {
  private static final List<String> MODULES = List.of("configsync", "sandbox");

  @TempDir Path dir;

  private static String classPath() {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> left =
        Stream.of(all.split(File.pathSeparator))
            .filter(entry -> MODULES.stream().noneMatch(module -> isOf(entry, module)))
            .toList();
    assertThat(all.split(File.pathSeparator)).hasSize(left.size() + MODULES.size());
    return left.stream().collect(Collectors.joining(File.pathSeparator));
  }

  /** Whether an entry is the module's jar, or the folder of its classes in a build without jars. */
  private static boolean isOf(String entry, String module) {
    return Path.of(entry).getFileName().toString().startsWith("vertlet-" + module + "-")
        || entry.endsWith("/" + module + "/target/classes");
  }

  private Process vertlet(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                "dev.vertlet.agent.Main"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(dir.resolve("output").toFile())
        .start();
  }

  private Path config(JsonObject configSync) throws IOException {
    JsonObject json =
        new JsonObject()
            .put("nodes", JsonArray.of(new JsonObject().put("name", "alone")))
            .put(
                "agent",
                new JsonObject().put("identity", "me").put("dataDir", dir.resolve("data") + ""))
            .put("kubernetes", new JsonObject().put("kubeconfig", dir.resolve("kubeconfig") + ""))
            .put(
                "server",
                new JsonObject()
                    .put("port", 0)
                    .put("healthzPort", 0)
                    .put("kubeletAddress", "127.0.0.1")
                    .put("portRange", 0))
            .put("configSync", configSync);
    return Files.writeString(dir.resolve("vertlet.json"), json.encode());
  }

  @Test
  void anAgentServesItsNodesWithoutThem() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      EmbeddedApiServer api =
          Waits.get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults()));
      Files.writeString(dir.resolve("kubeconfig"), api.kubeconfig());
      Process agent = vertlet("agent", "--config", config(new JsonObject()).toString());
      try {
        await().until(() -> Waits.get(api.objects().list("nodes", "")).size() == 1);
      } finally {
        agent.destroy();
      }
      assertThat(Waits.exit(agent)).as(Files.readString(dir.resolve("output"))).isZero();
    } finally {
      Waits.get(vertx.close());
    }
  }

  @Test
  void dynamicConfigurationIsRefusedByName() throws Exception {
    Files.writeString(dir.resolve("kubeconfig"), "");
    Path config = config(new JsonObject().put("enabled", true));

    assertThat(Waits.exit(vertlet("agent", "--config", config.toString())))
        .isEqualTo(ExitCode.FAILED);
    assertThat(Files.readString(dir.resolve("output")))
        .contains(
            "configSync.enabled needs vertlet-configsync, whose jar is not on the class path");
  }

  @ParameterizedTest
  @CsvSource({
    "sandbox list --server http://127.0.0.1:1, vertlet sandbox needs vertlet-sandbox",
    "config show n1, vertlet config needs vertlet-configsync",
    "validate POOLS, a configuration of sandbox pools needs vertlet-sandbox"
  })
  void aCommandIsRefusedByName(String line, String expected) throws Exception {
    String pools = Files.writeString(dir.resolve("pools.json"), "{\"pools\": []}").toString();

    assertThat(Waits.exit(vertlet(line.replace("POOLS", pools).split(" "))))
        .isEqualTo(ExitCode.FAILED);
    assertThat(Files.readAllLines(dir.resolve("output")))
        .contains("vertlet: " + expected + ", whose jar is not on the class path");
  }
}
