package dev.vertlet.stages.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.stages.play.DelayJournal;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Running delays in a file of the data directory: one line for each that begins ({@code + UID VISIT
 * MILLIS}) or ends ({@code - UID}), appended on a worker within 50 ms. Confined to the context that
 * opened it.
 */
final class FileJournal implements DelayJournal {
  private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);
  private static final long FLUSH_MILLIS = 50;

  /** Time in which the objects of the earlier process's delays have to appear. */
  private static final long KEPT_MILLIS = 600_000;

  /** Lines that are void before the file is written anew. */
  private static final int VOID_LINES = 100_000;

  private final Vertx vertx;
  private final Context context;
  private final Path file;

  /** Delays of the earlier process that their objects have not taken yet. */
  private final Map<String, Begun> left;

  private final Map<String, Begun> running = new HashMap<>();
  private StringBuilder lines = new StringBuilder();
  private boolean flushing;
  private boolean failed;
  private int voidLines;

  private FileJournal(Vertx vertx, Context context, Path file, Map<String, Begun> left) {
    this.vertx = vertx;
    this.context = context;
    this.file = file;
    this.left = left;
    this.running.putAll(left);
  }

  /** Reads the file on a worker. Never fails: without a readable file all delays begin anew. */
  static Future<FileJournal> open(Vertx vertx, Path file) {
    Context context = vertx.getOrCreateContext();
    return context
        .executeBlocking(() -> read(file), false)
        .map(left -> new FileJournal(vertx, context, file, left))
        .onSuccess(journal -> vertx.setTimer(KEPT_MILLIS, id -> journal.dropLeft()));
  }

  /** Objects that have not come until now have gone meanwhile. */
  private void dropLeft() {
    Set.copyOf(left.keySet()).forEach(this::ended);
    left.clear();
  }

  private static Map<String, Begun> read(Path file) {
    Map<String, Begun> left = new HashMap<>();
    try {
      for (String line : Files.readAllLines(file)) {
        apply(line, left);
      }
      rewrite(file, left);
    } catch (NoSuchFileException e) {
      return left;
    } catch (IOException e) {
      LOG.warn("delays of stages begin anew: {}", e.toString());
    }
    return left;
  }

  /** A line that the end of the process cut off is left out. */
  private static void apply(String line, Map<String, Begun> left) {
    String[] parts = line.split(" ", -1);
    if (parts.length == 2 && parts[0].equals("-")) {
      left.remove(parts[1]);
    } else if (parts.length == 5 && parts[0].equals("+") && parts[4].equals(".")) {
      try {
        Instant at = Instant.ofEpochMilli(Long.parseLong(parts[3]));
        left.put(parts[1], new Begun(Integer.parseInt(parts[2]), at));
      } catch (NumberFormatException e) {
        LOG.debug("unreadable line in the journal of delays: {}", line);
      }
    }
  }

  private static void rewrite(Path file, Map<String, Begun> running) throws IOException {
    StringBuilder text = new StringBuilder();
    running.forEach((uid, begun) -> text.append(line(uid, begun)));
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.write(next, text.toString().getBytes(UTF_8));
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String line(String uid, Begun begun) {
    return "+ " + uid + " " + begun.visit() + " " + begun.at().toEpochMilli() + " .\n";
  }

  @Override
  public Optional<Begun> take(String uid) {
    return Optional.ofNullable(left.remove(uid));
  }

  @Override
  public void began(String uid, Begun begun) {
    Begun stored = new Begun(begun.visit(), Instant.ofEpochMilli(begun.at().toEpochMilli()));
    if (!stored.equals(running.put(uid, stored))) {
      write(line(uid, stored));
    }
  }

  @Override
  public void ended(String uid) {
    if (running.remove(uid) != null) {
      voidLines += 2;
      write("- " + uid + "\n");
    }
  }

  private void write(String line) {
    lines.append(line);
    if (!flushing) {
      flushing = true;
      vertx.setTimer(FLUSH_MILLIS, id -> flush());
    }
  }

  /** Writes what is pending; completes when it is in the file. Never fails. */
  Future<Void> flush() {
    String text = lines.toString();
    lines = new StringBuilder();
    flushing = false;
    if (text.isEmpty()) {
      return Future.succeededFuture();
    }
    boolean anew = voidLines > VOID_LINES && voidLines > 4 * running.size();
    voidLines = anew ? 0 : voidLines;
    Map<String, Begun> all = anew ? Map.copyOf(running) : Map.of();
    return context
        .<Void>executeBlocking(
            () -> {
              if (anew) {
                rewrite(file, all);
              } else {
                Files.write(
                    file,
                    text.getBytes(UTF_8),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
              }
              return null;
            },
            true)
        .onSuccess(v -> failed = false)
        .recover(
            failure -> {
              if (!failed) {
                failed = true;
                LOG.warn("a restart will begin delays of stages anew: {}", failure.toString());
              }
              return Future.succeededFuture();
            });
  }
}
