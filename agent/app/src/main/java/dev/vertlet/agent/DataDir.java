package dev.vertlet.agent;

import dev.vertlet.cli.FailedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of the agent, locked by this process. Two agents of one identity would take over the
 * same nodes at once, and two on one store would assign each other's configs; the lock keeps them
 * apart on one machine. The kernel releases the lock when the process dies in any way.
 */
final class DataDir implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DataDir.class);
  private static final String LOCK = "agent.lock";

  private final Use use;
  private final FileChannel channel;

  private DataDir(Use use, FileChannel channel) {
    this.use = use;
    this.channel = channel;
  }

  /** Purpose of a directory, with its configuration key and variable. */
  enum Use {
    DATA("agent.dataDir", "VERTLET_AGENT_DATA_DIR"),
    CONFIGS("configSync.dynamicConfigDir", "VERTLET_CONFIG_SYNC_DYNAMIC_CONFIG_DIR");

    private final String key;
    private final String variable;

    Use(String key, String variable) {
      this.key = key;
      this.variable = variable;
    }

    /** Names the key and the variable that set the directory, for users who never set it. */
    private FailedException refused(Path dir, String why, @Nullable IOException cause) {
      return new FailedException(
          "%1$s %2$s %3$s; --set %1$s=DIR takes another, as %4$s and the configuration do"
              .formatted(key, dir, why, variable),
          cause);
    }
  }

  /**
   * Makes the directory if needed and locks it.
   *
   * @param identity written into the lock file, for the message of a refused agent
   * @throws FailedException when another process has the directory or it cannot be written
   */
  static DataDir take(Use use, Path dir, String identity) {
    FileChannel channel = open(use, dir);
    try {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw inUse(use, dir, channel);
      }
      sign(channel, identity);
      return new DataDir(use, channel);
    } catch (IOException e) {
      throw use.refused(dir, "cannot be locked: " + reason(e), e);
    }
  }

  /** Writes the holder into the lock file, best effort: a full disk must not stop the agent. */
  private static void sign(FileChannel channel, String identity) {
    String holder = "process %d, identity %s%n".formatted(ProcessHandle.current().pid(), identity);
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)), 0);
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("error", e.getMessage())
          .log("whose the data directory is cannot be written into it");
    }
  }

  private static FileChannel open(Use use, Path dir) {
    try {
      Files.createDirectories(dir);
      return FileChannel.open(
          dir.resolve(LOCK),
          StandardOpenOption.CREATE,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw use.refused(dir, "cannot be used: " + reason(e), e);
    }
  }

  /** Returns null while this or another process holds the lock. */
  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static FailedException inUse(Use use, Path dir, FileChannel channel) throws IOException {
    ByteBuffer holder = ByteBuffer.allocate(256);
    channel.read(holder, 0);
    String text = new String(holder.array(), 0, holder.position(), StandardCharsets.UTF_8).strip();
    channel.close();
    return use.refused(dir, "is in use by " + (text.isEmpty() ? "another process" : text), null);
  }

  private static String reason(IOException e) {
    if (e instanceof AccessDeniedException denied) {
      return "permission denied for " + denied.getFile();
    }
    if (e instanceof FileAlreadyExistsException exists) {
      return exists.getFile() + " is no directory";
    }
    if (e instanceof FileSystemException other && other.getReason() != null) {
      return other.getReason() + " at " + other.getFile();
    }
    return String.valueOf(e.getMessage());
  }

  /** Keeps the lock file: after a deletion, two processes could lock two files of one name. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new FailedException("the lock of " + use.key + " cannot be released", e);
    }
  }
}
