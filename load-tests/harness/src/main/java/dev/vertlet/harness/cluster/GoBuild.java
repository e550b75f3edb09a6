package dev.vertlet.harness.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Builds {@code load-tests/kubernetes} once per state of its sources into a cache that all
 * checkouts of this user share. A file lock serializes builds of several processes; all but the
 * first find the build in the cache.
 *
 * <p>The cache has the layout of {@code load-tests/cached-build}, which serves other programs and
 * needs a shell: {@code kubernetes/SOURCES-TOOLCHAIN}, two hashes. It keeps the three builds used
 * last and each build used in the last 24 hours.
 */
final class GoBuild {
  private static final String MODULE = "load-tests/kubernetes";
  private static final String BINARY = "kubernetes";
  private static final List<String> LINKS =
      List.of(
          Programs.ETCD,
          Programs.API_SERVER,
          Programs.CONTROLLER_MANAGER,
          Programs.SCHEDULER,
          Programs.KUBECTL);
  private static final Pattern KUBERNETES =
      Pattern.compile("(?m)^\\s*k8s\\.io/kubernetes (v(\\d+)\\.(\\d+)\\S*)");
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final int TAIL_LINES = 30;
  private static final String UNFINISHED = "unfinished-";
  private static final int KEPT = 3;
  private static final Duration KEPT_FOR = Duration.ofDays(1);

  /** Lines of the compiler's output that show a failure without a source at fault. */
  private static final Pattern COMMON_CAUSE =
      Pattern.compile(
          "(?im)^.*(no space left|requires go >=|dial tcp|no such host|connection refused|i/o timeout"
              + "|module lookup disabled).*$");

  /** Lock among threads: a file lock belongs to the whole JVM. */
  private static final Object LOCK = new Object();

  private final ControlPlaneSource.GoModule source;
  private final Consumer<String> progress;

  GoBuild(ControlPlaneSource.GoModule source, Consumer<String> progress) {
    this.source = source;
    this.progress = progress;
  }

  /**
   * Folder of the module in the checkout that contains the working directory or this class.
   *
   * @return empty outside a checkout
   */
  static Optional<Path> sources() {
    return Stream.of(Path.of("").toAbsolutePath(), ownPlace())
        .flatMap(start -> Stream.iterate(start, folder -> folder != null, Path::getParent))
        .map(folder -> folder.resolve(MODULE))
        .filter(folder -> Files.isRegularFile(folder.resolve("go.mod")))
        .findFirst();
  }

  private static Path ownPlace() {
    try {
      URI place = GoBuild.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(place);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the class path names this class by no URI", e);
    }
  }

  /** Folder of the builds, according to the XDG base directory specification. */
  static Path cache(Map<String, String> environment) {
    Path xdg = Path.of(environment.getOrDefault("XDG_CACHE_HOME", ""));
    Path base = xdg.isAbsolute() ? xdg : Path.of(System.getProperty("user.home"), ".cache");
    return base.resolve("vertlet").resolve("kubernetes");
  }

  /** Returns the newest build of these sources by any toolchain, for a machine without Go. */
  static Optional<Path> cached(Path sources, Path cache) {
    try {
      String prefix = fingerprint(sources) + "-";
      return builds(cache).stream()
          .filter(folder -> folder.getFileName().toString().startsWith(prefix))
          .findFirst();
    } catch (IOException e) {
      throw new ControlPlaneException("cannot read %s: %s".formatted(cache, e), e);
    }
  }

  /**
   * Builds the module unless the cache has the build. Returns the folder, with a link to the binary
   * for every program's name.
   */
  Path run() {
    try {
      String toolchain = GoToolchain.version(source.toolchain());
      Path target =
          source
              .cache()
              .resolve(fingerprint(source.folder()) + "-" + hash(toolchain.getBytes(UTF_8)));
      synchronized (LOCK) {
        return Files.isDirectory(target) ? used(target) : buildLocked(version(), target);
      }
    } catch (IOException e) {
      throw new ControlPlaneException(
          "cannot build %s into %s, which XDG_CACHE_HOME may move: %s"
              .formatted(source.folder(), source.cache(), e),
          e);
    }
  }

  /** Marks a build as used. Accepts a read-only cache. */
  private Path used(Path target) {
    try (FileChannel channel = lockFile();
        FileLock lock = channel.tryLock()) {
      Files.setLastModifiedTime(target, FileTime.from(Instant.now()));
      if (lock != null) {
        tidy();
      }
    } catch (IOException readOnly) {
      // the cache's owner tidies it
    }
    return target;
  }

  private Path buildLocked(Version version, Path target) throws IOException {
    Files.createDirectories(source.cache());
    try (FileChannel channel = lockFile();
        FileLock lock = acquire(channel)) {
      if (lock.isValid() && !Files.isDirectory(target)) {
        build(version, target);
      }
      tidy();
    }
    return target;
  }

  private FileChannel lockFile() throws IOException {
    return FileChannel.open(
        source.cache().resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** Deletes old and unfinished builds. With the lock, an unfinished build is a killed one. */
  private void tidy() throws IOException {
    for (Path folder : folders(source.cache())) {
      if (folder.getFileName().toString().startsWith(UNFINISHED)) {
        DataDir.delete(folder);
      }
    }
    List<Path> builds = builds(source.cache());
    FileTime limit = FileTime.from(Instant.now().minus(KEPT_FOR));
    for (Path old : builds.subList(Math.min(KEPT, builds.size()), builds.size())) {
      if (Files.getLastModifiedTime(old).compareTo(limit) < 0) {
        // rename first, so that a build's folder is never half deleted
        Path renamed = old.resolveSibling(UNFINISHED + "old");
        Files.move(old, renamed, StandardCopyOption.ATOMIC_MOVE);
        DataDir.delete(renamed);
      }
    }
  }

  /** Finished builds, the most recently used first. */
  private static List<Path> builds(Path cache) throws IOException {
    Map<Path, FileTime> times = new HashMap<>();
    for (Path folder : folders(cache)) {
      if (!folder.getFileName().toString().startsWith(UNFINISHED)) {
        times.put(folder, Files.getLastModifiedTime(folder));
      }
    }
    return times.entrySet().stream()
        .sorted(Map.Entry.<Path, FileTime>comparingByValue().reversed())
        .map(Map.Entry::getKey)
        .toList();
  }

  private static List<Path> folders(Path cache) throws IOException {
    if (!Files.isDirectory(cache)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(cache)) {
      return files.filter(Files::isDirectory).toList();
    }
  }

  private FileLock acquire(FileChannel channel) throws IOException {
    FileLock lock = channel.tryLock();
    if (lock != null) {
      return lock;
    }
    progress.accept("Waiting for another build of the Kubernetes control plane");
    return channel.lock();
  }

  /** Builds under a temporary name and renames, so that the target folder is always complete. */
  private void build(Version version, Path target) throws IOException {
    progress.accept(
        "Building the Kubernetes %s control plane once into %s; with a cold Go cache this takes some minutes"
            .formatted(version.full(), target));
    long start = System.nanoTime();
    Path unfinished = Files.createTempDirectory(source.cache(), UNFINISHED);
    try {
      compile(version, unfinished.resolve(BINARY));
      for (String link : LINKS) {
        Files.createSymbolicLink(unfinished.resolve(link), Path.of(BINARY));
      }
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
      progress.accept("Built the control plane in %d s".formatted(secondsSince(start)));
    } finally {
      DataDir.delete(unfinished);
    }
  }

  private void compile(Version version, Path binary) throws IOException {
    String stamp = "-X k8s.io/component-base/version.";
    String flags =
        "-s -w %1$sgitVersion=%2$s %1$sgitMajor=%3$s %1$sgitMinor=%4$s"
            .formatted(stamp, version.full(), version.major(), version.minor());
    Process process =
        new ProcessBuilder(
                source.toolchain().toString(),
                "build",
                "-v",
                "-buildvcs=false",
                "-ldflags",
                flags,
                "-o",
                binary.toString(),
                ".")
            .directory(source.folder().toFile())
            .redirectErrorStream(true)
            .start();
    Thread killer = new Thread(process::destroyForcibly, "go-build-killer");
    Runtime.getRuntime().addShutdownHook(killer);
    try {
      String tail = follow(process.inputReader(UTF_8));
      if (process.waitFor() != 0) {
        Matcher common = COMMON_CAUSE.matcher(tail);
        throw new ControlPlaneException(
            "go build failed in %s:%s"
                .formatted(source.folder(), common.find() ? " " + common.group() : "\n" + tail));
      }
    } catch (InterruptedException e) {
      throw ControlPlaneException.interrupted("building " + source.folder(), e);
    } finally {
      process.destroyForcibly();
      withoutHook(killer);
    }
  }

  private static void withoutHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      // the hook runs anyway and finds nothing to kill
    }
  }

  /** Reads the compiler's output to its end, reports every 15 s, and returns the last lines. */
  private String follow(BufferedReader lines) throws IOException {
    ArrayDeque<String> tail = new ArrayDeque<>();
    long start = System.nanoTime();
    long reported = start;
    int packages = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      packages++;
      tail.add(line);
      if (tail.size() > TAIL_LINES) {
        tail.remove();
      }
      if (System.nanoTime() - reported > PROGRESS_NANOS) {
        reported = System.nanoTime();
        progress.accept("  %d s, step %d: %s".formatted(secondsSince(start), packages, line));
      }
    }
    return String.join("\n", tail);
  }

  private static long secondsSince(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - nanos);
  }

  private Version version() throws IOException {
    Path file = source.folder().resolve("go.mod");
    Matcher matcher = KUBERNETES.matcher(Files.readString(file));
    if (!matcher.find()) {
      throw new ControlPlaneException(file + ": must require k8s.io/kubernetes");
    }
    return new Version(matcher.group(1), matcher.group(2), matcher.group(3));
  }

  /** Hash of the binary's inputs except the toolchain: sources, modules and platform. */
  private static String fingerprint(Path sources) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes(
        (System.getProperty("os.name") + System.getProperty("os.arch")).getBytes(UTF_8));
    try (Stream<Path> files = Files.list(sources)) {
      files
          .filter(file -> file.toString().matches(".*(\\.go|go\\.mod|go\\.sum)"))
          .sorted()
          .forEach(file -> content.writeBytes(read(file)));
    }
    return hash(content.toByteArray());
  }

  private static String hash(byte[] content) {
    return HexFormat.of().formatHex(sha256().digest(content), 0, 6);
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  private record Version(String full, String major, String minor) {}
}
