package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A containerd of a test's own: with its configuration, socket, state and images in one folder, and
 * a namespace that no other uses. Not thread-safe.
 */
final class Containerd implements AutoCloseable {
  /** What a container has unless it is told otherwise. */
  private static final List<String> CAPABILITIES =
      List.of(
          "CAP_CHOWN",
          "CAP_DAC_OVERRIDE",
          "CAP_FSETID",
          "CAP_FOWNER",
          "CAP_MKNOD",
          "CAP_NET_RAW",
          "CAP_SETGID",
          "CAP_SETUID",
          "CAP_SETFCAP",
          "CAP_SETPCAP",
          "CAP_NET_BIND_SERVICE",
          "CAP_SYS_CHROOT",
          "CAP_KILL",
          "CAP_AUDIT_WRITE");

  private static final String CONFIG =
      """
      version = 2
      root = "%1$s/root"
      state = "%1$s/state"
      disabled_plugins = ["io.containerd.grpc.v1.cri", "io.containerd.snapshotter.v1.aufs",
        "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper",
        "io.containerd.snapshotter.v1.overlayfs", "io.containerd.snapshotter.v1.zfs",
        "io.containerd.internal.v1.opt"]
      [grpc]
      address = "%1$s/sock"
      [ttrpc]
      address = "%1$s/ttrpc"
      """;

  private final Process process;
  private final Path dir;
  private final String namespace = "vertlet-it-" + ProcessHandle.current().pid();

  private Containerd(Process process, Path dir) {
    this.process = process;
    this.dir = dir;
  }

  /**
   * @param dir an empty folder with a short path: that of a socket has a limit
   */
  static Containerd start(Path dir) throws IOException, InterruptedException {
    Path config = Files.writeString(dir.resolve("config.toml"), CONFIG.formatted(dir));
    Process process =
        Launcher.process(dir, List.of("containerd", "--config", config.toString())).start();
    Containerd containerd = new Containerd(process, dir);
    await()
        .failFast("containerd ended", () -> !process.isAlive())
        .until(() -> containerd.ctr("version").exitCode() == 0);
    return containerd;
  }

  /**
   * Takes an image in, under a name of its own: two builds call themselves the same.
   *
   * @param name is what the image is called from now on
   */
  void load(Path archive, String name) throws IOException, InterruptedException {
    Launcher.Outcome loaded =
        ctr("images", "import", "--snapshotter", "native", archive.toString());
    assertThat(loaded.exitCode()).as(loaded.err()).isZero();
    String own =
        loaded
            .out()
            .lines()
            .filter(line -> line.startsWith("unpacking "))
            .map(line -> line.split(" ")[1])
            .findFirst()
            .orElseThrow();
    assertThat(ctr("images", "tag", own, name).exitCode()).isZero();
  }

  /**
   * The command line that runs an image as a kubelet runs a container that may do nothing: no
   * capability, no new privileges, the runtime's seccomp profile, nothing writable but mounts; on
   * the machine's own network. It ends with the container, whose exit code it has, and passes
   * signals on.
   *
   * @param pidFile is written when the container runs
   */
  List<String> run(String image, String id, Path pidFile, List<String> options, List<String> args) {
    List<String> command =
        command(
            "run",
            "--rm",
            "--snapshotter=native",
            "--read-only",
            "--net-host",
            "--seccomp",
            // by itself it would leave the group above it behind
            "--cgroup=/" + namespace + "-" + id,
            "--pid-file=" + pidFile);
    CAPABILITIES.forEach(capability -> command.add("--cap-drop=" + capability));
    command.addAll(options);
    command.add(image);
    command.add(id);
    command.addAll(args);
    return command;
  }

  /** Its command line, to which a test adds more. */
  private List<String> command(String... arguments) {
    return Stream.concat(
            Stream.of("ctr", "--address", dir.resolve("sock").toString(), "--namespace", namespace),
            Stream.of(arguments))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private Launcher.Outcome ctr(String... arguments) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(dir, "ctr-");
    return Launcher.await(Launcher.process(folder, command(arguments)).start(), folder);
  }

  @Override
  public void close() throws InterruptedException {
    Waits.end(process);
  }
}
