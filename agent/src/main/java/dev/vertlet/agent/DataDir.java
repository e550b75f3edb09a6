package dev.vertlet.agent;

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

/**
 * The agent's directory, held by this process alone. Two agents of one identity would both take
 * over the same nodes at once; the lock keeps them apart on one machine. The kernel lets go of it
 * when the process dies, however it dies.
 */
final class DataDir implements AutoCloseable {
  private static final String LOCK = "agent.lock";

  /** What to do about it, for those who never set the directory. */
  private static final String ANOTHER =
      "; --set agent.dataDir=DIR takes another, as VERTLET_AGENT_DATA_DIR and the configuration do";

  private final FileChannel channel;

  private DataDir(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Makes the directory where needed and takes it.
   *
   * @param identity written into the lock, for the one who is refused
   * @throws FailedException when another process has it or it cannot be written
   */
  static DataDir take(Path dir, String identity) {
    FileChannel channel = open(dir);
    try {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw inUse(dir, channel);
      }
      String holder =
          "process %d, identity %s%n".formatted(ProcessHandle.current().pid(), identity);
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)), 0);
      return new DataDir(channel);
    } catch (IOException e) {
      throw new FailedException(
          "agent.dataDir %s cannot be locked: %s%s".formatted(dir, reason(e), ANOTHER), e);
    }
  }

  private static FileChannel open(Path dir) {
    try {
      Files.createDirectories(dir);
      return FileChannel.open(
          dir.resolve(LOCK),
          StandardOpenOption.CREATE,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new FailedException(
          "agent.dataDir %s cannot be used: %s%s".formatted(dir, reason(e), ANOTHER), e);
    }
  }

  /** Null while another holds it, in this process or in another. */
  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static FailedException inUse(Path dir, FileChannel channel) throws IOException {
    ByteBuffer holder = ByteBuffer.allocate(256);
    channel.read(holder, 0);
    String text = new String(holder.array(), 0, holder.position(), StandardCharsets.UTF_8).strip();
    channel.close();
    return new FailedException(
        "agent.dataDir %s is in use by %s%s"
            .formatted(dir, text.isEmpty() ? "another process" : text, ANOTHER));
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

  /** The file stays: deleting it would let two processes lock two files of one name. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new FailedException("the lock of agent.dataDir cannot be released", e);
    }
  }
}
