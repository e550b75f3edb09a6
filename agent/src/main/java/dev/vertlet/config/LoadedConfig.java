package dev.vertlet.config;

import dev.vertlet.problem.Problem;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Function;

/** A valid configuration; it also builds those of other documents under the same flags. */
public final class LoadedConfig {
  private final VertletConfig config;
  private final List<String> warnings;
  private final JsonObject file;
  private final Function<JsonObject, VertletConfig> instead;
  private final Function<JsonObject, UnderFlags> laid;
  private final Function<JsonObject, List<Problem>> check;

  LoadedConfig(
      VertletConfig config,
      List<String> warnings,
      JsonObject file,
      Function<JsonObject, VertletConfig> instead,
      Function<JsonObject, UnderFlags> laid,
      Function<JsonObject, List<Problem>> check) {
    this.config = config;
    this.warnings = List.copyOf(warnings);
    this.file = file;
    this.instead = instead;
    this.laid = laid;
    this.check = check;
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
    return instead.apply(document.copy());
  }

  /** Applies the same flags and environment to the document. */
  public UnderFlags underFlags(JsonObject document) {
    return laid.apply(document.copy());
  }

  /** What the schema alone refuses of a document: keys that nobody knows, and wrong types. */
  public List<Problem> malformed(JsonObject document) {
    return check.apply(document);
  }
}
