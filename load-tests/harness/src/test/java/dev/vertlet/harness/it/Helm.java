package dev.vertlet.harness.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The real helm, built from {@code load-tests/helm}, on the shipped chart. */
final class Helm {
  private static final Path CHART =
      Path.of("..", "..", "k8s", "chart").toAbsolutePath().normalize();

  private final Path program;
  private final Path dir;

  private Helm(Path program, Path dir) {
    this.program = program;
    this.dir = dir;
  }

  /**
   * @param dir for its output, and for what it keeps in a home folder
   */
  static Helm build(Path dir) throws IOException, InterruptedException {
    return new Helm(CachedBuild.ofGo("helm", "helm", "helm.sh/helm/v3/cmd/helm"), dir);
  }

  /** Runs a command on the chart, for example {@code lint}, with more arguments behind it. */
  Launcher.Outcome run(List<String> command, String... more)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(program.toString()));
    words.addAll(command);
    words.add(CHART.toString());
    words.addAll(List.of(more));
    Path folder = Files.createTempDirectory(dir, "helm-");
    ProcessBuilder builder = Launcher.process(folder, words);
    builder.environment().put("HOME", dir.toString());
    builder.environment().keySet().removeIf(name -> name.startsWith("HELM_"));
    return Launcher.await(builder.start(), folder);
  }

  /** What an installation in the namespace of the shipped manifests would apply, as YAML. */
  Launcher.Outcome template(String... more) throws IOException, InterruptedException {
    return run(List.of("template", "vertlet", "--namespace", AgentAccess.NAMESPACE), more);
  }

  static List<HasMetadata> objects(KubernetesClient client, String yaml) {
    return client.load(new ByteArrayInputStream(yaml.getBytes(UTF_8))).items();
  }
}
