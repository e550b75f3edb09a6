package dev.vertlet.api.route;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;

/**
 * One page of a list from the API server. Its items are cut out without being parsed.
 *
 * @param items items separated by commas, without the brackets
 * @param next token of the next page; empty for the last one
 */
record PodListPage(Buffer items, String next) {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * Cuts the page.
   *
   * @throws HttpFailure when the body is not a list
   */
  static PodListPage of(Buffer body) {
    byte[] bytes = body.getBytes();
    Buffer items = Buffer.buffer();
    String next = "";
    try (JsonParser json = JSON.createParser(bytes)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw unreadable();
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        JsonToken value = json.nextToken();
        if (field.equals("items") && value == JsonToken.START_ARRAY) {
          int from = (int) json.currentLocation().getByteOffset();
          json.skipChildren();
          int to = (int) json.currentTokenLocation().getByteOffset();
          items = body.slice(from, to);
        } else if (field.equals("metadata") && value == JsonToken.START_OBJECT) {
          next = next(json);
        } else {
          json.skipChildren();
        }
      }
      return new PodListPage(items, next);
    } catch (IOException e) {
      throw unreadable();
    }
  }

  private static String next(JsonParser json) throws IOException {
    String next = "";
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean wanted = json.currentName().equals("continue");
      json.nextToken();
      if (wanted) {
        next = json.getText();
      }
      json.skipChildren();
    }
    return next;
  }

  private static HttpFailure unreadable() {
    return new HttpFailure(500, "the API server's list of pods cannot be read");
  }
}
