package dev.vertlet.model.wire;

import dev.vertlet.model.DecodeException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one encoded API object field by field, so that the same code decodes both encodings.
 *
 * <p>Fields have their JSON names. A repeated field is reported once per element. Null counts as
 * absent: the API writes null for an empty list ({@code "containers":null}). Every method throws
 * {@link DecodeException} if the bytes are of another type; no method allocates more than the
 * length of the input.
 */
sealed interface ObjectReader extends AutoCloseable permits JsonReader, ProtoReader {
  /**
   * Maximum nesting of the fields that are read: event, pod, spec, container, variable, its source,
   * the reference in it, the name in that; or event, pod, spec, affinity, node affinity, its
   * selector, term, requirement.
   */
  int MAX_DEPTH = 12;

  /** Enters the outermost object without an envelope (a watch event). */
  void enterFrame();

  /** Enters an API object with a kind of its own, and checks that kind. */
  void enterTyped(String kind);

  /** Enters the object that is the current value. */
  void enter();

  /**
   * Enters an object whose fields JSON inlines, while protobuf has them in a message of their own
   * under field {@code number}.
   */
  void enterInlined(int number);

  /**
   * Moves to the next field in {@code fields}, skipping all others; at the end of the object
   * returns false and leaves it.
   */
  boolean next(Fields fields);

  /** JSON name of the current field. */
  String field();

  /** Skips the current value. */
  void skip();

  /** Current value, a string. */
  String text();

  /** Current value, a string that is shared, because many objects repeat it. */
  String shared();

  /** Current value, an integer. */
  long integer();

  /** Current value, a boolean. */
  boolean flag();

  /** Current value, a time truncated to whole seconds; null for Go's zero time. */
  @Nullable Instant time();

  /** Adds the current value, a map or one entry of it, to {@code target}. */
  void entries(Map<String, String> target);

  /** Current value, a quantity. */
  String quantity();

  /** Adds the current value, a map of quantities or one entry of it, to {@code target}. */
  void quantities(Map<String, String> target);

  /** Current value, a number or a string; a number in decimal form. */
  String numberOrText();

  /** Number of bytes read so far. */
  int offset();

  /** Hash over the bytes from {@code start} to {@link #offset()}. */
  long hashSince(int start);

  /** Checks that nothing follows the outermost object. */
  void end();

  DecodeException malformed(String what);

  @Override
  void close();
}
