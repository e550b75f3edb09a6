package dev.vertlet.configsync.store;

import static dev.vertlet.configsync.Sources.resolved;
import static dev.vertlet.configsync.store.KilledProcess.NEW;
import static dev.vertlet.configsync.store.KilledProcess.OLD;
import static dev.vertlet.configsync.store.KilledProcess.data;
import static dev.vertlet.configsync.store.KilledProcess.store;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.configsync.store.StoredMeta.Assigned;
import dev.vertlet.testing.Fakes;
import dev.vertlet.testsupport.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store on a real disk. */
class CheckpointStoreTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path directory;

  private CheckpointStore opened() throws IOException {
    CheckpointStore store = store(new DiskFiles(), directory);
    store.open(NOW);
    return store;
  }

  private StoredMeta reopened() throws IOException {
    return store(new DiskFiles(), directory).open(NOW);
  }

  private String text(String path) throws IOException {
    return Files.readString(directory.resolve(path));
  }

  private List<String> names(String path) throws IOException {
    try (Stream<Path> entries = Files.list(directory.resolve(path))) {
      return entries.map(each -> String.valueOf(each.getFileName())).sorted().toList();
    }
  }

  @Test
  @Tag("A01")
  void aNewStoreSaysTheLocalConfigWithoutAByte() throws IOException {
    assertThat(reopened()).isEqualTo(new StoredMeta(new Assigned.Local(), null));

    assertThat(text("meta/assigned")).isEmpty();
    assertThat(text("meta/last-known-good")).isEmpty();
    assertThat(text("meta/owner")).isEqualTo("{\"node\":\"node-1\",\"layout\":1}");
  }

  /** Stores of several nodes are opened side by side, and share what is above them. */
  @Test
  void aDirectoryThatAnotherStoreMakesMeanwhileIsUsed() throws IOException {
    StoreFiles disk = new DiskFiles();
    StoreFiles raced =
        Fakes.hooked(
            StoreFiles.class,
            disk,
            (method, arguments) -> {
              if (method.equals("createDirectory")) {
                disk.createDirectory((Path) arguments[0]);
              }
            });

    assertThat(store(raced, directory.resolve("nodes/a")).open(NOW))
        .isEqualTo(new StoredMeta(new Assigned.Local(), null));
  }

  /** A02, with the layout of the documentation and the bytes of a kubelet. */
  @Test
  @Tag("A02")
  void aConfigIsKeptWithAllItsKeys() throws IOException {
    CheckpointStore store = opened();
    ResolvedSource source = SerializedSourceTest.SOURCE;

    assertThat(store.save(source, data(source))).isFalse();
    Instant since = store.writeAssigned(source);
    store.writeLastKnownGood(source);

    assertThat(text("meta/assigned")).isEqualTo(SerializedSourceTest.TEXT);
    assertThat(text("meta/last-known-good")).isEqualTo(text("meta/assigned"));
    String checkpoint = "checkpoints/705ab4f5-6393-11e8-b7cc-42010a800002/1326";
    assertThat(names(checkpoint)).containsExactly("kubelet", "other");
    assertThat(text(checkpoint + "/kubelet")).isEqualTo("payload of 1326");
    assertThat(reopened()).isEqualTo(new StoredMeta(new Assigned.Remote(source, since), source));
  }

  @Test
  void nobodyElseReadsIt() throws IOException {
    CheckpointStore store = opened();
    store.save(OLD, data(OLD));

    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.filter(path -> !path.equals(directory)).toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
            .as(each.toString())
            .isEqualTo(Files.isDirectory(each) ? "rwx------" : "rw-------");
      }
    }
  }

  /** A52: what is there is not written again. */
  @Test
  @Tag("A52")
  void aCheckpointIsMadeOnce() throws IOException {
    CheckpointStore store = opened();
    store.save(OLD, data(OLD));
    Object inode = Files.getAttribute(store.directory(OLD), "unix:ino");

    assertThat(store.save(OLD, Map.of("kubelet", "something else"))).isTrue();

    assertThat(Files.getAttribute(store.directory(OLD), "unix:ino")).isEqualTo(inode);
    assertThat(store.read(OLD)).asString(UTF_8).isEqualTo("payload of 1");
  }

  @Test
  @Tag("A58")
  void aDamagedCheckpointIsMadeAnew() throws IOException {
    CheckpointStore store = opened();
    store.save(OLD, data(OLD));
    Path key = store.directory(OLD).resolve("kubelet");
    Files.write(key, new byte[0]);
    assertThatIOException().isThrownBy(() -> store.read(OLD)).withMessage(key + " is empty");

    assertThat(store.repair(OLD, data(OLD))).isFalse();

    assertThat(store.read(OLD)).asString(UTF_8).isEqualTo("payload of 1");
    assertThat(store.repair(OLD, data(OLD))).as("as it should be").isTrue();
    assertThat(names("checkpoints/uid-of-c1")).containsExactly("1");
  }

  @Test
  @Tag("A16")
  @Tag("A17")
  void aKeyThatIsNotThereCannotBeRead() throws IOException {
    CheckpointStore store = opened();
    store.save(OLD, Map.of("other", "x"));

    assertThatIOException()
        .isThrownBy(() -> store.read(OLD))
        .withMessage("there is no " + store.directory(OLD).resolve("kubelet"));
  }

  @Test
  @Tag("A57")
  void aRecordThatMakesNoSenseIsKeptForPeople() throws IOException {
    CheckpointStore store = opened();
    store.save(OLD, data(OLD));
    store.writeLastKnownGood(OLD);
    Files.write(directory.resolve("meta/assigned"), new byte[] {1, 2, 3});

    StoredMeta meta = reopened();

    assertThat(meta.assigned()).isInstanceOf(Assigned.Corrupt.class);
    assertThat(meta.lastKnownGood()).isEqualTo(OLD);
    assertThat(Files.readAllBytes(directory.resolve("meta/assigned.corrupt-20260102T030405Z")))
        .containsExactly(1, 2, 3);
    assertThat(reopened().assigned())
        .as("after another start")
        .isInstanceOf(Assigned.Corrupt.class);
    assertThat(names("meta")).filteredOn(name -> name.contains("corrupt")).hasSize(1);
  }

  @Test
  void aLastKnownGoodThatMakesNoSenseIsTheLocalConfig() throws IOException {
    opened();
    Files.writeString(directory.resolve("meta/last-known-good"), "abc");

    assertThat(reopened().lastKnownGood()).isNull();
    assertThat(names("meta")).contains("last-known-good.corrupt-20260102T030405Z");
  }

  @Test
  void whatAnotherNodeKeptIsSetAside() throws IOException {
    CheckpointStore store = opened();
    store.save(OLD, data(OLD));
    store.writeAssigned(OLD);

    StoredMeta other =
        new CheckpointStore(new DiskFiles(), directory, "node-2", () -> "x1").open(NOW);

    assertThat(other).isEqualTo(new StoredMeta(new Assigned.Local(), null));
    assertThat(names("stale-node-1")).containsExactly("checkpoints", "meta");
    assertThat(text("meta/owner")).contains("node-2");
  }

  @Test
  void whatAKubeletKeptOneLevelDownIsTakenOver() throws IOException {
    Path kubelets = directory.resolve("store");
    CheckpointStore old = store(new DiskFiles(), kubelets);
    old.open(NOW);
    old.save(OLD, data(OLD));
    old.writeAssigned(OLD);
    Files.delete(kubelets.resolve("meta/owner"));

    assertThat(reopened().assigned())
        .isInstanceOfSatisfying(
            Assigned.Remote.class, remote -> assertThat(remote.source()).isEqualTo(OLD));
    assertThat(store(new DiskFiles(), directory).read(OLD)).asString(UTF_8).startsWith("payload");
  }

  @Test
  void whatALaterVersionWroteIsLeftAlone() throws IOException {
    opened();
    Files.writeString(directory.resolve("meta/owner"), "{\"node\":\"node-1\",\"layout\":2}");

    assertThatIOException()
        .isThrownBy(this::reopened)
        .withMessageContaining("has layout 2, which a later version wrote; this one knows 1");
  }

  @Test
  void anOwnerThatMakesNoSenseIsThisNode() throws IOException {
    CheckpointStore store = opened();
    store.save(OLD, data(OLD));
    store.writeAssigned(OLD);
    Files.writeString(directory.resolve("meta/owner"), "{");

    assertThat(reopened().assigned()).isInstanceOf(Assigned.Remote.class);
    assertThat(text("meta/owner")).isEqualTo("{\"node\":\"node-1\",\"layout\":1}");
  }

  @Test
  void aNodeThatComesBackFindsANewPlaceForTheOtherEachTime() throws IOException {
    for (String node : List.of("node-1", "node-2", "node-1", "node-2", "node-1")) {
      CheckpointStore store = new CheckpointStore(new DiskFiles(), directory, node, () -> "x1");
      store.open(NOW);
      store.save(OLD, data(OLD));
      store.writeAssigned(OLD);
    }

    assertThat(names("."))
        .contains("stale-node-1", "stale-node-1-2", "stale-node-2", "stale-node-2-2");
  }

  @Test
  void whatHasNoUsableNameOfAnotherNodeIsSetAsideAllTheSame() throws IOException {
    opened();
    Files.writeString(directory.resolve("meta/owner"), "{\"node\":\"../up\",\"layout\":1}");

    reopened();

    assertThat(names(".")).contains("stale-unknown");
  }

  @Test
  void aDirectoryThatIsAFileCannotBeUsed() throws IOException {
    Files.writeString(directory.resolve("meta"), "");

    assertThatIOException().isThrownBy(this::reopened);
  }

  @Test
  @Tag("A62")
  void ofFortyVersionsThoseStayThatAreNeededOrNew() throws IOException {
    CheckpointStore store = opened();
    for (int version = 1; version <= 40; version++) {
      ResolvedSource source = resolved("c1", version);
      store.save(source, data(source));
      Instant made = NOW.minus(HOUR.multipliedBy(2L * (40 - version)));
      Files.setLastModifiedTime(store.directory(source), FileTime.from(made));
    }
    store.writeAssigned(resolved("c1", 40));
    store.writeLastKnownGood(resolved("c1", 2));

    store.collect(resolved("c1", 3), 5, NOW);

    // up to 24 hours old are 29 to 40; of the others the newest five stay
    List<String> kept = Stream.of(2, 3, 24, 25, 26, 27, 28).map(String::valueOf).toList();
    assertThat(names("checkpoints/uid-of-c1"))
        .containsAll(kept)
        .contains("29", "40")
        .hasSize(kept.size() + 12);
    Files.write(directory.resolve("meta/assigned"), new byte[] {1});
    store.collect(null, 0, NOW.plus(Duration.ofDays(9)));
    assertThat(names("checkpoints/uid-of-c1")).as("nobody knows what is needed").hasSize(19);
  }

  @Test
  void theLastVersionOfAConfigMapTakesItsDirectoryAlong() throws IOException {
    CheckpointStore store = opened();
    store.save(OLD, data(OLD));

    store.collect(null, 0, Instant.now().plus(Duration.ofDays(2)));

    assertThat(names("checkpoints")).isEmpty();
  }

  /** A71: as many bytes as a ConfigMap can have. */
  @Test
  @Tag("A71")
  void everyByteOfALargeConfigMapIsKept() throws IOException {
    Map<String, String> large = new TreeMap<>();
    for (int i = 0; i < 60; i++) {
      large.put("key-" + i, "ä\u0000\r\n".repeat(3_400) + i);
    }
    CheckpointStore store = opened();

    store.save(OLD, large);

    for (Map.Entry<String, String> entry : large.entrySet()) {
      assertThat(Files.readAllBytes(store.directory(OLD).resolve(entry.getKey())))
          .isEqualTo(entry.getValue().getBytes(UTF_8));
    }
  }

  /** A51, A53: a process that really ends, at every third change that it makes of the disk. */
  @Test
  @Tag("A51")
  @Tag("A53")
  void aProcessThatIsKilledLeavesAWholeConfig() throws Exception {
    int exit = KilledProcess.KILLED;
    for (int changes = 0; exit != KilledProcess.DONE; changes += 3) {
      Path disk = directory.resolve("killed-" + changes);
      CheckpointStore before = store(new DiskFiles(), disk);
      before.open(NOW);
      before.save(OLD, data(OLD));
      before.writeAssigned(OLD);
      before.writeLastKnownGood(OLD);

      exit = run(disk, changes);

      CheckpointStore after = store(new DiskFiles(), disk);
      StoredMeta meta = after.open(NOW);
      ResolvedSource assigned = ((Assigned.Remote) meta.assigned()).source();
      assertThat(assigned).isIn(OLD, NEW);
      assertThat(meta.lastKnownGood()).isIn(OLD, NEW);
      assertThat(after.read(assigned)).asString(UTF_8).isEqualTo(data(assigned).get("kubelet"));
      try (Stream<Path> all = Files.walk(disk)) {
        assertThat(all).noneMatch(path -> String.valueOf(path.getFileName()).startsWith("tmp_"));
      }
      assertThat(exit).isIn(KilledProcess.KILLED, KilledProcess.DONE);
      assertThat(exit == KilledProcess.KILLED || NEW.equals(meta.lastKnownGood())).isTrue();
    }
  }

  private static int run(Path disk, int changes) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                KilledProcess.class.getName(),
                disk.toString(),
                Integer.toString(changes))
            .inheritIO()
            .start();
    try {
      return Waits.exit(process);
    } finally {
      process.destroyForcibly();
    }
  }
}
