package dev.vertlet.apiserver.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * A file of JSON lines: a header, one object per line, and a last line with the checksum of all
 * before it. Blocking, for worker threads. Readable for its owner alone, since it holds Secrets.
 */
public final class StateFile {
  private static final String FORMAT = "vertlet-api-server-state/1";

  private final Path path;

  public StateFile(Path path) {
    this.path = path.toAbsolutePath();
  }

  /** Replaces the file; readers see the old or the new one, never a part. */
  public void write(Snapshot snapshot) throws IOException {
    Path directory = Optional.ofNullable(path.getParent()).orElseThrow();
    Files.createDirectories(directory);
    Path temporary = Files.createTempFile(directory, path.getFileName().toString(), ".tmp");
    try {
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE);
          OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16)) {
        write(snapshot, out);
        out.flush();
        channel.force(true);
      }
      Files.move(
          temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      try (FileChannel entry = FileChannel.open(directory, StandardOpenOption.READ)) {
        entry.force(true); // the rename itself
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static void write(Snapshot snapshot, OutputStream out) throws IOException {
    CRC32 checksum = new CRC32();
    int objects = snapshot.objects().values().stream().mapToInt(List::size).sum();
    ObjectNode header =
        Json.object()
            .put("format", FORMAT)
            .put("revision", snapshot.revision())
            .put("objects", objects);
    snapshot.secrets().forEach(header.putObject("secrets")::put);
    line(out, checksum, header);
    for (var type : snapshot.objects().entrySet()) {
      for (ObjectNode object : type.getValue()) {
        ObjectNode line = Json.object().put("type", type.getKey());
        line.set("object", object);
        line(out, checksum, line);
      }
    }
    out.write(Json.bytes(Json.object().put("checksum", checksum.getValue())));
    out.write('\n');
  }

  private static void line(OutputStream out, CRC32 checksum, ObjectNode line) throws IOException {
    byte[] bytes = Json.bytes(line);
    checksum.update(bytes);
    checksum.update('\n');
    out.write(bytes);
    out.write('\n');
  }

  /**
   * The snapshot in the file, empty when there is no file.
   *
   * @throws StateFileException when the file is not what a server wrote
   */
  public Optional<Snapshot> read() throws IOException {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try (BufferedReader lines = Files.newBufferedReader(path, UTF_8)) {
      return Optional.of(new Reading(lines).snapshot());
    }
  }

  /** One pass over the lines. */
  private final class Reading {
    private final BufferedReader lines;
    private final CRC32 checksum = new CRC32();
    private int line;

    Reading(BufferedReader lines) {
      this.lines = lines;
    }

    Snapshot snapshot() throws IOException {
      JsonNode header = next(true);
      if (!Json.text(header, "format").equals(FORMAT)) {
        throw corrupt("it does not begin with the format \"%s\"".formatted(FORMAT));
      }
      Map<String, List<ObjectNode>> objects = new HashMap<>();
      for (int left = header.path("objects").asInt(); left > 0; left--) {
        JsonNode each = next(true);
        if (!(each.path("object") instanceof ObjectNode object)) {
          throw corrupt("there is no object");
        }
        objects.computeIfAbsent(Json.text(each, "type"), any -> new ArrayList<>()).add(object);
      }
      long counted = checksum.getValue();
      if (next(false).path("checksum").asLong(-1) != counted) {
        throw corrupt("the checksum is wrong");
      }
      Map<String, String> secrets = new HashMap<>();
      header
          .path("secrets")
          .properties()
          .forEach(secret -> secrets.put(secret.getKey(), secret.getValue().asText()));
      return new Snapshot(header.path("revision").asLong(), objects, secrets);
    }

    private JsonNode next(boolean counts) throws IOException {
      line++;
      try {
        String text = lines.readLine();
        if (text == null) {
          throw corrupt("the file ends too early");
        }
        byte[] bytes = text.getBytes(UTF_8);
        if (counts) {
          checksum.update(bytes);
          checksum.update('\n');
        }
        return Json.read(bytes);
      } catch (JsonProcessingException e) {
        throw corrupt("it is not JSON");
      } catch (CharacterCodingException e) {
        throw corrupt("it is not UTF-8");
      }
    }

    private StateFileException corrupt(String why) {
      return new StateFileException(path, line, why);
    }
  }
}
