package dev.vertlet.kube;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Content of a {@code metav1.Status} error body, in JSON or protobuf. For a body that is neither (a
 * proxy's HTML page) all fields are empty.
 *
 * @param reason for example {@code Expired}; empty if missing
 * @param retryAfterSeconds of {@code details}, 0 if missing
 */
record ApiStatus(String reason, String message, int retryAfterSeconds) {
  static final ApiStatus NONE = new ApiStatus("", "", 0);

  private static final JsonFactory JSON = new JsonFactory();

  /** Prefix of every protobuf body; {@code runtime.Unknown} follows. */
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  static ApiStatus decode(Buffer body) {
    try {
      return isProtobuf(body) ? protobuf(body) : json(body);
    } catch (IOException | IndexOutOfBoundsException e) {
      return NONE;
    }
  }

  private static boolean isProtobuf(Buffer body) {
    if (body.length() < MAGIC.length) {
      return false;
    }
    for (int i = 0; i < MAGIC.length; i++) {
      if (body.getByte(i) != MAGIC[i]) {
        return false;
      }
    }
    return true;
  }

  private static ApiStatus json(Buffer body) throws IOException {
    String reason = "";
    String message = "";
    int retryAfter = 0;
    try (JsonParser parser = JSON.createParser(body.getBytes())) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return NONE;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        if (field.equals("reason") && value == JsonToken.VALUE_STRING) {
          reason = parser.getText();
        } else if (field.equals("message") && value == JsonToken.VALUE_STRING) {
          message = parser.getText();
        } else if (field.equals("details") && value == JsonToken.START_OBJECT) {
          retryAfter = retryAfter(parser);
        } else {
          parser.skipChildren();
        }
      }
    }
    return new ApiStatus(reason, message, retryAfter);
  }

  private static int retryAfter(JsonParser parser) throws IOException {
    int seconds = 0;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      JsonToken value = parser.nextToken();
      if (field.equals("retryAfterSeconds") && value == JsonToken.VALUE_NUMBER_INT) {
        seconds = parser.getIntValue();
      } else {
        parser.skipChildren();
      }
    }
    return seconds;
  }

  /** Field 2 of {@code runtime.Unknown} is the Status: 3 message, 4 reason, 5 details. */
  private static ApiStatus protobuf(Buffer body) throws IOException {
    Wire unknown = new Wire(body, MAGIC.length, body.length());
    while (unknown.next()) {
      if (unknown.field() == 2) {
        return status(unknown.nested());
      }
    }
    return NONE;
  }

  private static ApiStatus status(Wire status) throws IOException {
    String reason = "";
    String message = "";
    int retryAfter = 0;
    while (status.next()) {
      if (status.field() == 3) {
        message = status.text();
      } else if (status.field() == 4) {
        reason = status.text();
      } else if (status.field() == 5) {
        Wire details = status.nested();
        while (details.next()) {
          if (details.field() == 5) {
            retryAfter = (int) details.number();
          }
        }
      }
    }
    return new ApiStatus(reason, message, retryAfter);
  }

  /** Walks the fields of one protobuf message; supports only the wire types of a Status. */
  private static final class Wire {
    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;

    private final Buffer bytes;
    private final int end;
    private int position;
    private int field;
    private long number;
    private int start;

    Wire(Buffer bytes, int start, int end) {
      this.bytes = bytes;
      this.position = start;
      this.end = end;
    }

    boolean next() throws IOException {
      if (position >= end) {
        return false;
      }
      long tag = varint();
      field = (int) (tag >>> 3);
      int type = (int) (tag & 7);
      if (type == VARINT) {
        number = varint();
      } else if (type == LENGTH_DELIMITED) {
        long length = varint();
        if (length < 0 || length > end - position) {
          throw new IOException("field reaches beyond its message");
        }
        start = position;
        position += (int) length;
      } else {
        throw new IOException("a Status has no field of wire type " + type);
      }
      return true;
    }

    int field() {
      return field;
    }

    long number() {
      return number;
    }

    String text() {
      return new String(bytes.getBytes(start, position), StandardCharsets.UTF_8);
    }

    Wire nested() {
      return new Wire(bytes, start, position);
    }

    private long varint() {
      long value = 0;
      for (int shift = 0; shift < 64; shift += 7) {
        byte b = bytes.getByte(position++);
        value |= (long) (b & 0x7f) << shift;
        if (b >= 0) {
          return value;
        }
      }
      throw new IndexOutOfBoundsException("varint of more than 10 bytes");
    }
  }
}
