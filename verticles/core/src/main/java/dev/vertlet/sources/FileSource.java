package dev.vertlet.sources;

import dev.vertlet.manifest.ManifestException;
import dev.vertlet.manifest.Manifests;
import dev.vertlet.manifest.SourceContents;
import dev.vertlet.manifest.StaticPod;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Manifests in a directory: its regular files in the order of their names, except those that begin
 * with a dot. Subdirectories are not read. A path to a file is one manifest; a missing path has
 * none.
 */
public final class FileSource implements ManifestSource {
  private final Vertx vertx;
  private final Path path;
  private final Manifests manifests;

  /** Result of each file at the last reading: many nodes may read many files repeatedly. */
  private Map<Path, Parsed> parsed = Map.of();

  /**
   * Result of parsing a file; exactly one of pod and refusal is set.
   *
   * @param hash of the text
   */
  private record Parsed(
      String hash, @Nullable StaticPod pod, @Nullable ManifestException refused) {}

  public FileSource(Vertx vertx, Path path, String node) {
    this.vertx = vertx;
    this.path = path;
    this.manifests = new Manifests(node, Manifests.FILE);
  }

  @Override
  public String name() {
    return Manifests.FILE;
  }

  @Override
  public String place() {
    return path.toString();
  }

  @Override
  public Future<SourceContents> read() {
    return vertx.executeBlocking(this::readNow, false);
  }

  /** Blocks. */
  private SourceContents readNow() throws IOException {
    SourceContents.Collector collected = new SourceContents.Collector();
    Map<Path, Parsed> now = new HashMap<>();
    if (Files.isDirectory(path)) {
      for (Path file : files()) {
        if (Files.isDirectory(file)) {
          collected.refuse(file.toString(), "is a directory, which is not read");
        } else {
          read(file, now, collected);
        }
      }
    } else if (Files.exists(path)) {
      read(path, now, collected);
    }
    parsed = now;
    return collected.done();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> entries = Files.list(path)) {
      return entries
          .filter(entry -> !entry.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException e) {
      // the message of some of these exceptions is only the path
      throw new IOException("cannot be listed: " + e, e);
    }
  }

  private void read(Path file, Map<Path, Parsed> now, SourceContents.Collector collected) {
    String place = file.toString();
    if (!Files.isRegularFile(file)) {
      if (Files.exists(file)) {
        collected.refuse(place, "is not a regular file");
      }
      return;
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] text = in.readNBytes(Manifests.MAX_BYTES + 1);
      if (text.length > Manifests.MAX_BYTES) {
        collected.refuse(place, "has more than " + Manifests.MAX_BYTES + " bytes");
      } else {
        Parsed result = parse(file, text);
        now.put(file, result);
        if (result.pod() != null) {
          collected.add(result.pod(), place);
        } else if (result.refused() != null) {
          collected.refuse(place, result.refused(), Manifests.FILE);
        }
      }
    } catch (NoSuchFileException e) {
      // removed since the directory was listed
    } catch (IOException e) {
      collected.refuse(place, "cannot be read: " + e);
    }
  }

  private Parsed parse(Path file, byte[] text) {
    String hash = TextHash.of(text);
    Parsed before = parsed.get(file);
    if (before != null && before.hash().equals(hash)) {
      return before;
    }
    try {
      return new Parsed(hash, manifests.pod(text, file.toString()), null);
    } catch (ManifestException e) {
      return new Parsed(hash, null, e);
    }
  }
}
