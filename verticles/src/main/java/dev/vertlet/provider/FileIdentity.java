package dev.vertlet.provider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

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
    return new FileIdentity(
        ((Number) read.get("dev")).longValue(), ((Number) read.get("ino")).longValue());
  }
}
