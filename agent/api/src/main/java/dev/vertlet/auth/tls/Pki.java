package dev.vertlet.auth.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.vertlet.auth.file.FileWatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores certificates and keys on disk, one file each, which only its owner can read. Blocks. */
final class Pki {
  private static final Logger LOG = LoggerFactory.getLogger(Pki.class);

  private final Path directory;

  /**
   * @param directory directory, created on the first write
   */
  Pki(Path directory) {
    this.directory = directory;
  }

  /** Loads a key pair; empty when it is absent or unusable. */
  Optional<ServingKey> load(String name) {
    Path file = file(name);
    try {
      byte[] text = Files.readAllBytes(file);
      return Optional.of(ServingKey.parse(text, text));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      LOG.atWarn()
          .addKeyValue("file", file)
          .addKeyValue("error", FileWatch.reason(e))
          .log("stored serving certificate is invalid; making a new one");
      return Optional.empty();
    }
  }

  /**
   * Replaces a key pair. When the disk fails, it stays in use until the process ends.
   *
   * @param certificates certificates in PEM
   * @param key key in PEM
   */
  void save(String name, String certificates, String key) {
    Path file = file(name);
    try {
      Files.createDirectories(directory);
      Path temporary = Files.createTempFile(directory, ".new", ".pem"); // has mode 600
      try {
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
          ByteBuffer bytes = ByteBuffer.wrap((certificates + key).getBytes(US_ASCII));
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
          channel.force(true);
        }
        Files.move(
            temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("file", file)
          .addKeyValue("error", FileWatch.reason(e))
          .log("serving certificate cannot be stored; the next start makes a new one");
    }
  }

  Path file(String name) {
    return directory.resolve(name + ".pem");
  }
}
