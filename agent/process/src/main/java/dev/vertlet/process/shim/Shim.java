package dev.vertlet.process.shim;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * The program that holds a container. Every method blocks.
 *
 * @param program path of the executable
 * @param held whether a process that waits for it is between each shim and the agent: for an agent
 *     that is process 1, to which ended processes would return as zombies otherwise
 * @param mounts what containers may have of their own
 */
public record Shim(Path program, boolean held, MountMode mounts) {
  /** What {@code uname -m} says, by the name that the JVM has for it. */
  private static final Map<String, String> ARCHITECTURES = Map.of("amd64", "x86_64");

  /** Result of a call: {@code output} says why a container does not run. */
  public record Started(int code, String output) {
    /** Whether the container's program could not be started, for a reason that it has itself. */
    public boolean refused() {
      return code == 1;
    }
  }

  /**
   * Reads the shim for this machine.
   *
   * @throws IOException with the reason why there is none
   */
  public static byte[] content() throws IOException {
    String system = System.getProperty("os.name", "");
    if (!system.equals("Linux")) {
      throw new IOException("the provider process runs on Linux only, this is " + system);
    }
    String machine = System.getProperty("os.arch", "");
    String name = "shim-linux-" + ARCHITECTURES.getOrDefault(machine, machine);
    try (InputStream found = Shim.class.getResourceAsStream(name)) {
      if (found == null) {
        throw new IOException(
            "this build of vertlet has no shim for "
                + machine
                + ": build it where there is a C compiler");
      }
      return found.readAllBytes();
    }
  }

  /**
   * Puts the shim into a directory, if it is not there yet, and tries it.
   *
   * @throws IOException with the reason why it cannot run there
   */
  public static Shim install(Path directory, byte[] content, boolean held) throws IOException {
    Path program = directory.resolve("shim-" + hash(content).substring(0, 16));
    if (!Files.exists(program)) {
      Path part = Files.createTempFile(directory, "shim", ".part");
      Files.write(part, content);
      Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.move(part, program, StandardCopyOption.ATOMIC_MOVE);
    }
    Shim shim = new Shim(program, held, MountMode.UNKNOWN);
    shim.check();
    Started tried = shim.call(new byte[0], "mounts");
    return new Shim(program, held, MountMode.of(tried.code(), tried.output()));
  }

  private static String hash(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private void check() throws IOException {
    Started tried;
    try {
      tried = call(new byte[0], "version");
    } catch (IOException e) {
      throw new IOException(
          "the shim cannot be run in "
              + program.getParent()
              + ", maybe because its file system is mounted noexec: "
              + e.getMessage(),
          e);
    }
    if (tried.code() != 0) {
      throw new IOException("the shim " + program + " does not run: " + tried.output());
    }
  }

  /**
   * Starts a container in its directory. Returns when its program runs, or could not be started.
   *
   * @param socket path of the control socket, at most {@value #LONGEST_SOCKET} bytes
   */
  public Started run(Path directory, Path socket, byte[] definition) throws IOException {
    return call(definition, held ? "hold" : "run", directory.toString(), socket.toString());
  }

  /** Returns the same shim with another way to mount. */
  public Shim with(MountMode other) {
    return new Shim(program, held, other);
  }

  /** What a shim says when its container runs. */
  private static final String STARTED = "ok";

  /** Longest path of a Unix socket. */
  public static final int LONGEST_SOCKET = 107;

  private Started call(byte[] input, String... arguments) throws IOException {
    String[] command = new String[arguments.length + 1];
    command[0] = program.toString();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    Process process = builder.start();
    try (OutputStream definition = process.getOutputStream()) {
      definition.write(input);
    } catch (IOException e) {
      // it has ended without reading all: its output says why
    }
    try (InputStream output = process.getInputStream()) {
      String text = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
      // a shim that is held has closed its output, and does not end with the call
      return new Started(text.equals(STARTED) ? 0 : process.waitFor(), text);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a container was started", e);
    }
  }
}
