package dev.vertlet.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.vertlet.auth.tls.TlsVersion;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.document.ConfigSchema;
import dev.vertlet.config.document.SchemaNode;
import dev.vertlet.config.document.Section;
import dev.vertlet.kube.client.HttpProtocol;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import dev.vertlet.problem.RefusedSettingsException;
import dev.vertlet.server.PortRange;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Binds objects of a document that passed the schema to records: a key is the component of its
 * name, and the schema's default stands for an absent key.
 */
final class SectionBinder {
  private static final ObjectMapper RECORDS = mapper();

  private final ConfigSchema schema;
  private final BinaryOperator<String> variables;
  private final BinaryOperator<String> paths;

  /**
   * @param variables replaces the variables in a default; the first argument is its JSON pointer
   * @param paths completes a text whose format is {@code path}; may throw {@link ConfigException}
   */
  SectionBinder(
      ConfigSchema schema, BinaryOperator<String> variables, BinaryOperator<String> paths) {
    this.schema = schema;
    this.variables = variables;
    this.paths = paths;
  }

  /**
   * Binds the object at this place.
   *
   * @param pointer of the object in the document
   * @throws ConfigException with the mistakes that the schema cannot detect
   */
  <T extends Record> T bind(String pointer, JsonObject json, Class<T> type) {
    try {
      return RECORDS.readValue(complete(pointer, json, at(pointer)).encode(), type);
    } catch (JsonProcessingException e) {
      throw refused(pointer, e);
    }
  }

  /** Returns the schema's default of a key; null when it has none. */
  @Nullable Object defaultOf(String pointer) {
    return at(pointer).json().getValue("default");
  }

  private SchemaNode at(String pointer) {
    return Objects.requireNonNull(
        schema.at(Pointers.tokens(pointer)), () -> "the schema lacks " + pointer);
  }

  private JsonObject complete(String pointer, JsonObject json, SchemaNode node) {
    JsonObject whole = new JsonObject();
    for (String key : node.keys()) {
      SchemaNode child = Objects.requireNonNull(node.child(key));
      String place = pointer + Pointers.of(key);
      Object value = json.containsKey(key) ? json.getValue(key) : absent(place, child);
      if (value != null) {
        whole.put(key, complete(place, value, child));
      }
    }
    return whole;
  }

  private @Nullable Object absent(String pointer, SchemaNode node) {
    Object value = node.json().getValue("default");
    return value instanceof String text ? variables.apply(pointer, text) : value;
  }

  private Object complete(String pointer, Object value, SchemaNode node) {
    SchemaNode items = node.items();
    if (value instanceof JsonObject object && !node.keys().isEmpty()) {
      return complete(pointer, object, node);
    }
    if (value instanceof JsonArray array && items != null) {
      JsonArray whole = new JsonArray();
      for (int i = 0; i < array.size(); i++) {
        whole.add(complete(pointer + "/" + i, array.getValue(i), items));
      }
      return whole;
    }
    return value instanceof String text && "path".equals(node.json().getString("format"))
        ? paths.apply(pointer, text)
        : value;
  }

  /** Returns the problems of a record or a value, each at its place in the document. */
  private static ConfigException refused(String pointer, JsonProcessingException e) {
    String place =
        e instanceof JsonMappingException mapping
            ? Pointers.of(mapping.getPath().stream().map(SectionBinder::token).toList())
            : "";
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConfigException own) {
        return place.isEmpty() ? own : at(pointer + place, own.problems());
      }
      if (cause instanceof RefusedSettingsException settings) {
        return at(pointer + place + "/", settings.problems());
      }
    }
    throw new IllegalStateException("the schema and the record of " + pointer + " disagree", e);
  }

  private static String token(JsonMappingException.Reference step) {
    return step.getFieldName() == null ? Integer.toString(step.getIndex()) : step.getFieldName();
  }

  private static ConfigException at(String place, List<Problem> problems) {
    return new ConfigException(problems.stream().map(problem -> problem.under(place)).toList());
  }

  private static ObjectMapper mapper() {
    SimpleModule values = new SimpleModule();
    values.addDeserializer(Duration.class, new Text<>(Duration.class, SectionBinder::duration));
    values.addDeserializer(Path.class, new Text<>(Path.class, SectionBinder::path));
    values.addDeserializer(PortRange.class, new Text<>(PortRange.class, SectionBinder::ports));
    values.addDeserializer(
        HttpProtocol.class, new Text<>(HttpProtocol.class, SectionBinder::protocol));
    values.addDeserializer(TlsVersion.class, new Text<>(TlsVersion.class, TlsVersion::parse));
    values.setDeserializerModifier(new Words());
    return JsonMapper.builder()
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .addModule(values)
        .build();
  }

  private static HttpProtocol protocol(String text) {
    return text.equals("http1") ? HttpProtocol.HTTP_1_1 : HttpProtocol.HTTP_2;
  }

  private static Duration duration(String text) {
    Problems problems = new Problems();
    Duration duration = problems.duration("", text).orElse(Duration.ZERO);
    problems.done(ConfigException::new);
    return duration;
  }

  /** Returns null for an empty text: no file. */
  private static @Nullable Path path(String text) {
    return text.isEmpty() ? null : Section.pathAt("", text);
  }

  private static PortRange ports(String text) {
    return PortRange.parse(text)
        .orElseThrow(
            () ->
                new ConfigException(
                    Problem.of(
                        "",
                        text,
                        "must be ports such as \"10250-10318\", one port, or 0 for any free one")));
  }

  /** Reads a text or a number. */
  private static final class Text<T> extends StdDeserializer<T> {
    private static final long serialVersionUID = 1L;

    private final transient Function<String, @Nullable T> read;

    Text(Class<?> type, Function<String, @Nullable T> read) {
      super(type);
      this.read = read;
    }

    @Override
    public @Nullable T deserialize(JsonParser json, DeserializationContext context)
        throws IOException {
      return read.apply(json.getText());
    }
  }

  /** Reads constants, which documents spell in their own way: only letters and digits count. */
  private static final class Words extends BeanDeserializerModifier {
    private static final long serialVersionUID = 1L;

    @Override
    public JsonDeserializer<?> modifyEnumDeserializer(
        DeserializationConfig config,
        JavaType type,
        BeanDescription description,
        JsonDeserializer<?> usual) {
      return usual instanceof Text<?>
          ? usual
          : new Text<Object>(type.getRawClass(), word -> constant(type.getRawClass(), word));
    }

    private static Object constant(Class<?> type, String word) {
      return Arrays.stream(type.getEnumConstants())
          .filter(constant -> letters(constant.toString()).equals(letters(word)))
          .findFirst()
          .orElseThrow();
    }

    private static String letters(String word) {
      return word.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }
  }
}
