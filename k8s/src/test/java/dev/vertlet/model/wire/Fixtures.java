package dev.vertlet.model.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.pod.PodView;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers of a Kubernetes 1.36.3 API server: two pods listed and watched in both encodings while
 * they got an ephemeral container, a status and a deletion.
 */
public final class Fixtures {
  public static final String JSON = "application/json";
  public static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

  private Fixtures() {}

  static byte[] bytes(String name) {
    try (InputStream in = Fixtures.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no fixture " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Buffer buffer(String name) {
    return Buffer.buffer(bytes(name));
  }

  /** Frames of {@code watch.json} or {@code watch.pb}, without delimiter or length. */
  static List<Buffer> frames(String contentType) {
    List<Buffer> frames = new ArrayList<>();
    if (contentType.equals(JSON)) {
      for (String line : new String(bytes("watch.json"), UTF_8).split("\n", -1)) {
        if (!line.isEmpty()) {
          frames.add(Buffer.buffer(line));
        }
      }
      return frames;
    }
    Buffer all = buffer("watch.pb");
    for (int at = 0; at < all.length(); at += 4 + all.getInt(at)) {
      frames.add(all.getBuffer(at + 4, at + 4 + all.getInt(at)));
    }
    return frames;
  }

  static List<WatchEvent<PodView>> events(String contentType) {
    PodDecoder decoder = new PodDecoder();
    return frames(contentType).stream()
        .map(frame -> decoder.decodeEvent(contentType, frame))
        .toList();
  }

  /** The last state of the pod with everything set. */
  public static PodView fullPod(String contentType) {
    String name = contentType.equals(JSON) ? "list.json" : "list.pb";
    return new PodDecoder().decodeList(contentType, buffer(name)).items().get(0);
  }
}
