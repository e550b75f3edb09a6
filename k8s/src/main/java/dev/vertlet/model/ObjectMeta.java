package dev.vertlet.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;

/**
 * UID and resourceVersion of an answer. Decoding stops as early as possible, because an answer
 * arrives for every status written.
 *
 * @param resourceVersion 0 if the object has none
 */
public record ObjectMeta(String uid, long resourceVersion) {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * Decodes the metadata of an object.
   *
   * @param json an object, or its PartialObjectMetadata
   * @throws DecodeException when it is not a JSON object with metadata
   */
  public static ObjectMeta decode(Buffer json) {
    try (JsonParser parser = JSON.createParser(json.getBytes())) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new DecodeException("an object must be a JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean metadata = parser.currentName().equals("metadata");
        JsonToken value = parser.nextToken();
        if (metadata && value == JsonToken.START_OBJECT) {
          return metadata(parser);
        }
        parser.skipChildren();
      }
      throw new DecodeException("an object must have metadata");
    } catch (IOException e) {
      throw new DecodeException("malformed object metadata", e);
    }
  }

  private static ObjectMeta metadata(JsonParser parser) throws IOException {
    String uid = "";
    long version = 0;
    // managedFields come last and are most of the answer; their names are always new, and the
    // parser would cache them
    while ((uid.isEmpty() || version == 0) && parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      if (field.equals("uid")) {
        uid = parser.getText();
      } else if (field.equals("resourceVersion")) {
        version = number(parser.getText());
      } else {
        parser.skipChildren();
      }
    }
    return new ObjectMeta(uid, version);
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new DecodeException("resourceVersion must be a number", e);
    }
  }
}
