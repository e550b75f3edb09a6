package dev.vertlet.cri.sandbox;

import dev.vertlet.cri.wire.MessageSchema;
import dev.vertlet.cri.wire.ProtoException;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxConfig;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a pod's sandbox as its directory keeps it: the containers that are started
 * after a restart of the agent need it. Methods block.
 */
public final class StoredConfig {
  private static final String FILE = "cri-sandbox";

  private StoredConfig() {}

  /**
   * Writes a configuration.
   *
   * @param pod directory of the pod
   */
  public static void write(Path pod, PodSandboxConfig config) throws IOException {
    Path part = pod.resolve(FILE + ".new");
    Files.write(part, MessageSchema.encode(config).getBytes());
    Files.move(
        part,
        pod.resolve(FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Reads a configuration.
   *
   * @param pod directory of the pod
   * @return null if there is none, or none that can be read
   */
  public static @Nullable PodSandboxConfig read(Path pod) throws IOException {
    try {
      return MessageSchema.decode(
          PodSandboxConfig.class, Buffer.buffer(Files.readAllBytes(pod.resolve(FILE))));
    } catch (NoSuchFileException | ProtoException e) {
      return null;
    }
  }
}
