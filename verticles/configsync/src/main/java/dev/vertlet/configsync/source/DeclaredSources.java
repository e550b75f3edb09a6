package dev.vertlet.configsync.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the declared source of a Node. The annotation takes precedence over the native field, even
 * if it is invalid: a typing error must not activate the native source.
 *
 * @param allowedNamespaces {@code configSync.allowedNamespaces}: sources in other namespaces are
 *     refused without a request
 */
public record DeclaredSources(Set<String> allowedNamespaces) {
  /** Contains the JSON of a {@code NodeConfigSource}, or {@code null} for none. */
  public static final String ANNOTATION = "vertlet.dev/config-source";

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  public DeclaredSources {
    allowedNamespaces = Set.copyOf(allowedNamespaces);
  }

  /**
   * Reads the source.
   *
   * @param annotation value of {@link #ANNOTATION}; null if the Node has none
   * @param nativeField {@code spec.configSource}; null if the Node has none
   */
  public DeclaredSource read(@Nullable String annotation, @Nullable JsonNode nativeField) {
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
      // the exception's message would quote the value
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
