package dev.vertlet.config;

import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;

/**
 * Reads JSON files beside the configuration that a schema of their own describes, as strictly as
 * the configuration: a key twice, a comment or a key that nobody knows is an error. Reads files;
 * not for event loops.
 */
public final class DocumentReader {
  private final ConfigSchema schema;

  /**
   * @param resource absolute name of the schema on the class path; draft 2020-12, of the keywords
   *     that {@code vertlet.schema.json} uses, {@code oneOf} and {@code anyOf}; what has a choice
   *     has a title, which says what it is
   */
  public DocumentReader(String resource) {
    this.schema = ConfigSchema.load(resource);
  }

  /**
   * The document, which the schema allows.
   *
   * @throws ConfigException with every problem, or the one why the file cannot be read
   */
  public Section read(Path file) {
    JsonObject document = JsonText.object(file.toString(), TextFile.read(file));
    Problems problems = new Problems();
    problems.addAll(schema.problems(document));
    problems.done(ConfigException::new);
    return new Section(document, "");
  }
}
