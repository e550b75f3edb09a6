package dev.vertlet.provider.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a file or directory on the agent's machine.
 *
 * @param device number of its file system
 * @param inode its number there
 */
public record FileIdentity(long device, long inode) {
  /**
   * Reads the identity of what a path names now; blocks. A symbolic link at the end of the path is
   * not followed.
   */
  public static FileIdentity of(Path path) throws IOException {
    var read = Files.readAttributes(path, "unix:dev,ino", LinkOption.NOFOLLOW_LINKS);
    return new FileIdentity(number(read.get("dev")), number(read.get("ino")));
  }

  private static long number(@Nullable Object attribute) throws IOException {
    if (attribute instanceof Number number) {
      return number.longValue();
    }
    throw new IOException("the file system has no device and inode numbers");
  }
}
