package dev.vertlet.config.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.vertlet.problem.Problem;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Strict JSON: a key twice in one object, a comment or text after the value is an error. Vert.x's
 * own parser takes the last of two equal keys, which hides a problem.
 */
public final class JsonText {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private static final String EMPTY = "the text is empty";
  private static final String MORE = "there is more text after the value";

  private JsonText() {}

  /**
   * Parses a JSON object.
   *
   * @param source file name for messages
   * @throws ConfigException with line and column
   */
  public static JsonObject object(String source, String text) {
    Object value;
    try {
      value = value(text);
    } catch (JsonProcessingException e) {
      throw new ConfigException(syntax(source, text, e));
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
    if (value instanceof JsonObject object) {
      return object;
    }
    throw new ConfigException(
        Problem.about(source, "must hold one JSON object, { … }, and nothing else"));
  }

  /** Parses any JSON value; null for JSON null. */
  public static @Nullable Object value(String text) throws IOException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        throw new JsonParseException(parser, EMPTY);
      }
      Object value = read(parser);
      if (parser.nextToken() != null) {
        throw new JsonParseException(parser, MORE);
      }
      return value;
    }
  }

  /**
   * Reads JSON, else text. Where the schema expects text, a number keeps its spelling: {@code
   * capacity.cpu=4}.
   */
  public static @Nullable Object orText(@Nullable SchemaNode node, String text) {
    try {
      Object value = value(text);
      boolean wantsText = node != null && node.isScalar() && node.is("string");
      return wantsText && (value instanceof Number || value instanceof Boolean) ? text : value;
    } catch (JsonProcessingException e) {
      return text;
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  private static @Nullable Object read(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> readObject(parser);
      case START_ARRAY -> readArray(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private static JsonObject readObject(JsonParser parser) throws IOException {
    JsonObject fields = new JsonObject();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      fields.put(key, read(parser));
    }
    return fields;
  }

  private static JsonArray readArray(JsonParser parser) throws IOException {
    JsonArray items = new JsonArray();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(read(parser));
    }
    return items;
  }

  private static Problem syntax(String source, String text, JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    String place =
        at == null ? source : source + ", line " + at.getLineNr() + ", column " + at.getColumnNr();
    String message = e.getOriginalMessage();
    if (message.startsWith("Duplicate field")) {
      return Problem.about(
          place,
          "the key "
              + message.replaceAll("(?s).*?'(.*)'.*", "\"$1\"")
              + " stands twice in one object");
    }
    if (comment(text, at)) {
      return Problem.about(place, "comments are not supported in JSON; take it out");
    }
    boolean own = message.equals(EMPTY) || message.equals(MORE);
    return Problem.about(place, "not JSON: " + (own ? message : JsonFault.words(text, e)));
  }

  private static boolean comment(String text, @Nullable JsonLocation at) {
    if (at == null || at.getCharOffset() < 0 || at.getCharOffset() > text.length()) {
      return false;
    }
    int offset = (int) at.getCharOffset();
    String around = text.substring(Math.max(0, offset - 1), Math.min(text.length(), offset + 2));
    return around.contains("//") || around.contains("/*") || around.contains("#");
  }
}
