package dev.vertlet.model;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Walks one encoded API object field by field, so that one piece of code decodes both encodings.
 *
 * <p>Fields are called by their JSON names. A repeated field is reported once per element. Null
 * counts as absent everywhere: the API writes null for an empty list ({@code "containers":null}).
 * Every method throws {@link DecodeException} when the bytes are not what it reads; none allocates
 * more than the input is long.
 */
sealed interface ObjectReader extends AutoCloseable permits JsonReader, ProtoReader {
  /**
   * Deepest nesting of fields that is walked: event, pod, spec, container, variable, its source,
   * the reference in it, the name in that; or event, pod, spec, affinity, that of nodes, its
   * selector, term, requirement.
   */
  int MAX_DEPTH = 12;

  /** Enters the outermost object, which stands for itself (a watch event). */
  void enterFrame();

  /** Enters an API object that carries its own kind, and checks that kind. */
  void enterTyped(String kind);

  /** Enters the object that is the current value. */
  void enter();

  /**
   * Enters an object whose fields JSON inlines, while protobuf keeps them in a message of their own
   * under field {@code number}.
   */
  void enterInlined(int number);

  /**
   * Moves to the next field in {@code fields}, skipping all others; false at the end of the object,
   * which is left by that.
   */
  boolean next(Fields fields);

  /** JSON name of the current field. */
  String field();

  /** Skips the current value. */
  void skip();

  /** Current value, a string. */
  String text();

  /** Current value, a string that many objects repeat. */
  String shared();

  /** Current value, an integer. */
  long integer();

  /** Current value, a boolean. */
  boolean flag();

  /** Current value, a time cut to whole seconds; null for Go's zero time. */
  @Nullable Instant time();

  /** Adds the current value, a map or one entry of it, to {@code target}. */
  void entries(Map<String, String> target);

  /** Current value, a quantity. */
  String quantity();

  /** Adds the current value, a map of quantities or one entry of it, to {@code target}. */
  void quantities(Map<String, String> target);

  /** Current value, a number or a text; a number in its decimal form. */
  String numberOrText();

  /** Bytes read so far. */
  int offset();

  /** Hash over the bytes from {@code start} to {@link #offset()}. */
  long hashSince(int start);

  /** Checks that nothing follows the outermost object. */
  void end();

  DecodeException malformed(String what);

  @Override
  void close();
}
