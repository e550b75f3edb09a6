package dev.vertlet.configsync;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a Node what it asks for. The annotation goes before the native field, also when it is
 * wrong: nobody shall get the native one by mistyping.
 *
 * @param allowedNamespaces {@code configSync.allowedNamespaces}: others are refused before anybody
 *     asks for them
 */
record DeclaredSources(Set<String> allowedNamespaces) {
  /** Holds the JSON of a {@code NodeConfigSource}, or {@code null} for none. */
  static final String ANNOTATION = "vertlet.dev/config-source";

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  DeclaredSources {
    allowedNamespaces = Set.copyOf(allowedNamespaces);
  }

  /**
   * @param annotation value of {@link #ANNOTATION}; null where the Node has none
   * @param nativeField {@code spec.configSource}; null where the Node has none
   */
  DeclaredSource read(@Nullable String annotation, @Nullable JsonNode nativeField) {
    if (annotation != null && !annotation.isEmpty()) {
      return annotation(annotation);
    }
    return nativeField == null || nativeField.isNull() || nativeField.isMissingNode()
        ? new DeclaredSource.None(Channel.NONE)
        : source(nativeField, Channel.NATIVE);
  }

  private DeclaredSource annotation(String text) {
    try {
      JsonNode value = JSON.readTree(text);
      if (value.isNull()) {
        return new DeclaredSource.None(Channel.ANNOTATION);
      }
      if (!value.isMissingNode()) {
        return source(value, Channel.ANNOTATION);
      }
    } catch (JsonProcessingException e) {
      // its message would quote the text
    }
    return new DeclaredSource.Undecodable(
        Channel.ANNOTATION, Channel.ANNOTATION.path() + ": is no JSON");
  }

  private DeclaredSource source(JsonNode value, Channel channel) {
    try {
      Optional<SourceFields> found = SourceFields.of(value, channel.path());
      return found.isEmpty() ? new DeclaredSource.AllNil(channel) : configMap(found.get(), channel);
    } catch (SourceFields.TypeException e) {
      return new DeclaredSource.Undecodable(channel, String.valueOf(e.getMessage()));
    }
  }

  private DeclaredSource configMap(SourceFields fields, Channel channel) {
    List<String> broken = SourceRules.declared(fields, channel.path());
    if (broken.isEmpty() && !allowedNamespaces.contains(fields.namespace())) {
      broken =
          List.of(
              channel.path()
                  + ".configMap.namespace: Forbidden: not one of configSync.allowedNamespaces");
    }
    return broken.isEmpty()
        ? new DeclaredSource.Wanted(channel, fields.source())
        : new DeclaredSource.Invalid(channel, broken);
  }
}
