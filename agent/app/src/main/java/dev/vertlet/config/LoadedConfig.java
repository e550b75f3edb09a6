package dev.vertlet.config;

import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** A valid configuration; it also builds those of other documents under the same flags. */
public final class LoadedConfig {
  private final ConfigLoader loader;
  private final List<ConfigOverride> flags;
  private final JsonObject file;
  private final VertletConfig config;
  private final List<String> warnings;

  LoadedConfig(
      ConfigLoader loader,
      List<ConfigOverride> flags,
      JsonObject file,
      VertletConfig config,
      List<String> warnings) {
    this.loader = loader;
    this.flags = List.copyOf(flags);
    this.file = file;
    this.config = config;
    this.warnings = List.copyOf(warnings);
  }

  public VertletConfig config() {
    return config;
  }

  /** Returns warnings about ignored settings. */
  public List<String> warnings() {
    return warnings;
  }

  /** Returns the document as written, without flags and environment; the caller owns the copy. */
  public JsonObject file() {
    return file.copy();
  }

  /**
   * Builds the configuration for another document with the same flags, environment and providers.
   * No provider is loaded again or looked up elsewhere.
   *
   * @throws ConfigException with every problem
   */
  public VertletConfig with(JsonObject document) {
    return loader.map(document.copy(), flags, config.providers().catalog());
  }

  /** Applies the same flags and environment to the document. */
  public UnderFlags underFlags(JsonObject document) {
    return loader.lay(document.copy(), flags, new Problems());
  }

  /** What the schema alone refuses of a document: keys that nobody knows, and wrong types. */
  public List<Problem> malformed(JsonObject document) {
    return loader.malformed(document);
  }
}
