package dev.vertlet.stages.spec;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.yaml.BoundedYaml;
import dev.vertlet.yaml.YamlLimitException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads stages from files, directories and kustomizations. A directory with a kustomization stands
 * for its resources; any other for its YAML and JSON files, without those below. Objects of other
 * kinds are left out and named.
 */
public final class StageFiles {
  private static final List<String> KUSTOMIZATIONS =
      List.of("kustomization.yaml", "kustomization.yml", "Kustomization");

  private final List<StageProblem> problems = new ArrayList<>();
  private final List<Stage> stages = new ArrayList<>();
  private final Set<String> others = new TreeSet<>();
  private final Set<Path> visited = new HashSet<>();

  private StageFiles() {}

  /**
   * Stages of several files.
   *
   * @param stages in the order of the files
   * @param ignored places and kinds of the objects that are no stages
   */
  public record Loaded(List<Stage> stages, List<String> ignored) {
    public Loaded {
      stages = List.copyOf(stages);
      ignored = List.copyOf(ignored);
    }
  }

  /**
   * Reads all stages of these files and directories.
   *
   * @throws StageException with every mistake; the expressions and templates are not compiled yet
   */
  public static Loaded load(Collection<Path> paths) {
    StageFiles files = new StageFiles();
    paths.forEach(files::path);
    if (!files.problems.isEmpty()) {
      throw new StageException(files.problems);
    }
    return new Loaded(files.stages, List.copyOf(files.others));
  }

  /**
   * Reads a Stage object of the cluster.
   *
   * @param name for messages
   * @param json the whole object
   * @throws StageException with every mistake
   */
  public static Stage object(String name, byte[] json) {
    StageFiles files = new StageFiles();
    String source = StageReader.KIND + " " + name;
    for (Node node : files.compose(source, json)) {
      Field root = Field.root(new DocumentSource(source, List.of(), files.problems), node);
      files.stages.add(StageReader.read(root));
    }
    if (!files.problems.isEmpty()) {
      throw new StageException(files.problems);
    }
    return files.stages.get(0);
  }

  private void path(Path path) {
    if (Files.isDirectory(path)) {
      directory(path);
    } else {
      file(path);
    }
  }

  private void directory(Path directory) {
    for (String name : KUSTOMIZATIONS) {
      Path file = directory.resolve(name);
      if (Files.isRegularFile(file)) {
        kustomization(directory, file);
        return;
      }
    }
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> found =
          files
              .filter(Files::isRegularFile)
              .filter(file -> file.getFileName().toString().matches(".+\\.(ya?ml|json)"))
              .sorted()
              .toList();
      if (found.isEmpty()) {
        about(directory, "has no .yaml, .yml or .json file");
      }
      found.forEach(this::file);
    } catch (IOException e) {
      about(directory, "cannot be read: " + e.getMessage());
    }
  }

  private void kustomization(Path directory, Path file) {
    if (!visited.add(file.toAbsolutePath().normalize())) {
      return;
    }
    for (Field document : documents(file)) {
      document.only("apiVersion", "kind", "metadata", "resources");
      for (Field resource : document.get("resources").items()) {
        String name = resource.text();
        Path target = directory.resolve(name);
        if (name.contains("://") || !Files.exists(target)) {
          resource.refuse("\"" + name + "\" must be a file or directory that exists");
        } else {
          path(target.normalize());
        }
      }
    }
  }

  private void file(Path file) {
    if (!visited.add(file.toAbsolutePath().normalize())) {
      return;
    }
    for (Field document : documents(file)) {
      object(file, document);
    }
  }

  private void object(Path file, Field document) {
    String kind = document.get("kind").text();
    String version = document.get("apiVersion").text();
    if (kind.equals("List")) {
      document.get("items").items().forEach(item -> object(file, item));
    } else if (kind.equals(StageReader.KIND) && version.startsWith(StageReader.GROUP + "/")) {
      stages.add(StageReader.read(document));
    } else if (kind.isEmpty() || version.isEmpty()) {
      document.refuse("must be an object with apiVersion and kind");
    } else {
      others.add(file + ": " + version + " " + kind);
    }
  }

  private List<Field> documents(Path file) {
    byte[] text;
    try {
      text = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      about(file, "does not exist");
      return List.of();
    } catch (IOException e) {
      about(file, "cannot be read: " + e.getMessage());
      return List.of();
    }
    List<String> lines = new String(text, UTF_8).lines().toList();
    DocumentSource source = new DocumentSource(file.toString(), lines, problems);
    return compose(file.toString(), text).stream().map(node -> Field.root(source, node)).toList();
  }

  private List<Node> compose(String source, byte[] text) {
    List<Node> nodes = new ArrayList<>();
    try {
      BoundedYaml.check(text);
      LoadSettings settings =
          LoadSettings.builder()
              .setSchema(new CoreSchema())
              .setLabel(source)
              .setCodePointLimit(BoundedYaml.MAX_LENGTH)
              .build();
      for (Node node : new Compose(settings).composeAllFromString(new String(text, UTF_8))) {
        // a separator at the end begins a document without content
        if (!node.getTag().equals(Tag.NULL)) {
          nodes.add(node);
        }
      }
    } catch (YamlLimitException e) {
      problems.add(new StageProblem(Location.of(source), "", String.valueOf(e.getMessage())));
    } catch (MarkedYamlEngineException e) {
      Location at =
          e.getProblemMark().map(mark -> Field.place(source, mark)).orElse(Location.of(source));
      problems.add(new StageProblem(at, "", "is not YAML: " + oneLine(e.getProblem())));
    } catch (YamlEngineException e) {
      String message = "is not YAML: " + oneLine(e.getMessage());
      problems.add(new StageProblem(Location.of(source), "", message));
    }
    return nodes;
  }

  private void about(Path path, String message) {
    problems.add(new StageProblem(Location.of(path.toString()), "", message));
  }

  private static String oneLine(@Nullable String text) {
    return String.valueOf(text).strip().replaceAll("\\s+", " ");
  }
}
