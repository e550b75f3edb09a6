package dev.vertlet.apiserver.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One change of one object, and the wire forms that watchers share. */
public final class StoreEvent {
  private final long revision;
  private final @Nullable StoredObject before;
  private final @Nullable StoredObject after;
  private final Map<String, Buffer> lines = new HashMap<>(2);
  private @Nullable StoredObject gone;

  StoreEvent(long revision, @Nullable StoredObject before, @Nullable StoredObject after) {
    this.revision = revision;
    this.before = before;
    this.after = after;
  }

  public long revision() {
    return revision;
  }

  /** The version before the change, none for a creation. */
  public Optional<StoredObject> before() {
    return Optional.ofNullable(before);
  }

  /** The version after the change, none for a deletion. */
  public Optional<StoredObject> after() {
    return Optional.ofNullable(after);
  }

  /**
   * What a DELETED event carries: the last content the watcher could see, with the revision of this
   * event, as the real watch cache sends it.
   */
  public StoredObject gone() {
    StoredObject made = gone;
    if (made == null) {
      StoredObject last = before().orElseThrow();
      ObjectNode json = last.copy();
      ((ObjectNode) json.get("metadata")).put("resourceVersion", Long.toString(revision));
      made = new StoredObject(json, revision);
      gone = made;
    }
    return made;
  }

  /** The wire form under this name, made by the first watcher that needs it. */
  public Buffer line(String form, Supplier<Buffer> maker) {
    return lines.computeIfAbsent(form, any -> maker.get());
  }

  /** Drops the shared wire forms once all watchers have them; a later replay makes them again. */
  void forgetLines() {
    lines.clear();
  }
}
