package dev.vertlet.model.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.Timestamps;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@link ObjectReader} over JSON. */
final class JsonReader implements ObjectReader {
  /**
   * Field names are not interned in the JVM (managedFields has millions of them), and bytes are
   * always read as UTF-8.
   */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .build();

  private final byte[] bytes;
  private final Interner interner;
  private final JsonParser parser;

  /** Per open object: the repeated field whose elements are being read, or null. */
  private final @Nullable String[] array = new @Nullable String[MAX_DEPTH];

  private int depth;
  private int typedDepth;
  private String kind = "";
  private String field = "";

  JsonReader(byte[] bytes, Interner interner) {
    this.bytes = bytes;
    this.interner = interner;
    try {
      this.parser = FACTORY.createParser(bytes);
    } catch (IOException e) {
      throw new DecodeException("JSON parser refused its input", e);
    }
  }

  @Override
  public void enterFrame() {
    advance();
    enter();
  }

  @Override
  public void enterTyped(String expected) {
    if (depth == 0) {
      advance();
    }
    enter();
    kind = expected;
    typedDepth = depth;
  }

  @Override
  public void enter() {
    expect(JsonToken.START_OBJECT);
    depth++;
    array[depth] = null;
  }

  @Override
  public void enterInlined(int number) {
    enter();
  }

  @Override
  public boolean next(Fields fields) {
    while (true) {
      JsonToken token = advance();
      String walked = array[depth];
      if (walked != null) {
        if (token == JsonToken.END_ARRAY) {
          array[depth] = null;
        } else if (token != JsonToken.VALUE_NULL) {
          field = walked;
          return true;
        }
      } else if (token == JsonToken.END_OBJECT) {
        depth--;
        return false;
      } else if (wanted(fields)) {
        return true;
      }
    }
  }

  /** Moves from a name to its value; returns whether the value must be read. */
  private boolean wanted(Fields fields) {
    String name = name();
    JsonToken token = advance();
    if (depth == typedDepth && name.equals("kind") && token != JsonToken.VALUE_NULL) {
      checkKind();
    } else if (!fields.contains(name)) {
      skip();
    } else if (token == JsonToken.START_ARRAY) {
      array[depth] = name;
    } else if (token != JsonToken.VALUE_NULL) {
      field = name;
      return true;
    }
    return false;
  }

  private void checkKind() {
    if (!text().equals(kind)) {
      throw malformed("not a " + kind);
    }
  }

  @Override
  public String field() {
    return field;
  }

  @Override
  public void skip() {
    try {
      parser.skipChildren();
    } catch (IOException e) {
      throw syntax(e);
    }
  }

  @Override
  public String text() {
    expect(JsonToken.VALUE_STRING);
    try {
      return parser.getText();
    } catch (IOException e) {
      throw syntax(e);
    }
  }

  @Override
  public String shared() {
    expect(JsonToken.VALUE_STRING);
    try {
      char[] chars = parser.getTextCharacters();
      return interner.string(chars, parser.getTextOffset(), parser.getTextLength());
    } catch (IOException e) {
      throw syntax(e);
    }
  }

  @Override
  public long integer() {
    expect(JsonToken.VALUE_NUMBER_INT);
    try {
      return parser.getLongValue();
    } catch (IOException e) {
      throw syntax(e);
    }
  }

  @Override
  public boolean flag() {
    if (parser.currentToken() == JsonToken.VALUE_TRUE) {
      return true;
    }
    expect(JsonToken.VALUE_FALSE);
    return false;
  }

  @Override
  public @Nullable Instant time() {
    String text = text();
    try {
      long seconds = Timestamps.parse(text).getEpochSecond();
      return seconds == Timestamps.GO_ZERO_SECONDS ? null : Instant.ofEpochSecond(seconds);
    } catch (IllegalArgumentException e) {
      throw malformed("not a time");
    }
  }

  @Override
  public void entries(Map<String, String> target) {
    expect(JsonToken.START_OBJECT);
    while (advance() != JsonToken.END_OBJECT) {
      String key = name();
      target.put(key, advance() == JsonToken.VALUE_NULL ? "" : shared());
    }
  }

  @Override
  public String quantity() {
    return shared();
  }

  @Override
  public void quantities(Map<String, String> target) {
    entries(target);
  }

  @Override
  public String numberOrText() {
    return parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        ? Long.toString(integer())
        : shared();
  }

  @Override
  public int offset() {
    return (int) parser.currentLocation().getByteOffset();
  }

  @Override
  public long hashSince(int start) {
    return SpecHash.of(bytes, start, offset());
  }

  @Override
  public void end() {
    try {
      if (parser.nextToken() != null) {
        throw malformed("something follows the object");
      }
    } catch (IOException e) {
      throw syntax(e);
    }
  }

  @Override
  public DecodeException malformed(String what) {
    return new DecodeException(
        "malformed JSON at byte " + offset() + ": " + what,
        parser.getParsingContext().pathAsPointer().toString());
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException e) {
      throw new DecodeException("JSON parser failed to close", e);
    }
  }

  private JsonToken advance() {
    try {
      JsonToken token = parser.nextToken();
      if (token == null) {
        throw malformed("ends early");
      }
      return token;
    } catch (IOException e) {
      throw syntax(e);
    }
  }

  private String name() {
    try {
      String name = parser.currentName();
      if (name == null) {
        throw malformed("a value without a name");
      }
      return name;
    } catch (IOException e) {
      throw syntax(e);
    }
  }

  private void expect(JsonToken token) {
    if (parser.currentToken() != token) {
      throw malformed("expected " + token + ", got " + parser.currentToken());
    }
  }

  /** Leaves out the cause: the parser's message quotes its input. */
  private DecodeException syntax(IOException e) {
    if (e instanceof JsonEOFException) {
      return malformed("ends early");
    }
    return malformed(e instanceof InputCoercionException ? "a number out of range" : "no JSON");
  }
}
