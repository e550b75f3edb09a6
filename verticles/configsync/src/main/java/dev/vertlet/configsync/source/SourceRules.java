package dev.vertlet.configsync.source;

import dev.vertlet.env.GoQuote;
import dev.vertlet.model.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Validates config sources with the API server's messages. Each check returns one message for each
 * broken rule, which begins with the path of the field.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/apis/core/validation/validation.go">
 *     validateNodeConfigSourceSpec</a>
 */
public final class SourceRules {
  private SourceRules() {}

  /**
   * Validates a source in a Node's spec or annotation.
   *
   * @param path of the source, such as {@code spec.configSource}
   */
  static List<String> declared(SourceFields fields, String path) {
    List<String> broken = new ArrayList<>();
    String at = path + ".configMap";
    forbidden(broken, at, "uid", fields.uid());
    forbidden(broken, at, "resourceVersion", fields.resourceVersion());
    names(broken, at, fields);
    return broken;
  }

  /** Validates a source in a status or in a checkpoint's record. */
  public static List<String> resolved(SourceFields fields, String path) {
    List<String> broken = new ArrayList<>();
    String at = path + ".configMap";
    if (fields.uid().isEmpty()) {
      broken.add(at + ".uid: Required value: uid must be set in status");
    }
    if (fields.resourceVersion().isEmpty()) {
      broken.add(at + ".resourceVersion: Required value: resourceVersion must be set in status");
    }
    names(broken, at, fields);
    if (broken.isEmpty()) {
      ResolvedSource.unusable(fields.uid(), fields.resourceVersion())
          .ifPresent(problem -> broken.add(at + ": " + problem));
    }
    return broken;
  }

  private static void forbidden(List<String> broken, String at, String field, String value) {
    if (!value.isEmpty()) {
      broken.add("%s.%s: Forbidden: %s must not be set in spec".formatted(at, field, field));
    }
  }

  private static void names(List<String> broken, String at, SourceFields fields) {
    name(broken, at, "namespace", fields.namespace(), Names::checkLabel);
    name(broken, at, "name", fields.name(), Names::checkSubdomain);
    name(broken, at, "kubeletConfigKey", fields.key(), Names::checkConfigMapKey);
  }

  private static void name(
      List<String> broken,
      String at,
      String field,
      String value,
      Function<String, Optional<String>> check) {
    String path = at + "." + field;
    if (value.isEmpty()) {
      broken.add("%s: Required value: %s must be set".formatted(path, field));
      return;
    }
    check
        .apply(value)
        .ifPresent(
            rule ->
                broken.add(
                    "%s: Invalid value: %s: %s".formatted(path, GoQuote.quote(value), rule)));
  }
}
