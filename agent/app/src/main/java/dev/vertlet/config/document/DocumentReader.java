package dev.vertlet.config.document;

import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;

/**
 * Reads JSON files other than the configuration, each described by its own schema, as strictly as
 * the configuration: a duplicate key, a comment or an unknown key is an error. Blocks while it
 * reads files: not for event loops.
 */
public final class DocumentReader {
  private final ConfigSchema schema;

  /**
   * @param resource absolute name of the schema on the class path. The schema is of draft 2020-12
   *     and uses only the keywords of {@code vertlet.schema.json}, {@code oneOf} and {@code anyOf};
   *     each alternative has a title that describes it
   */
  public DocumentReader(String resource) {
    this.schema = ConfigSchema.load(resource);
  }

  /**
   * Reads and validates the file.
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
