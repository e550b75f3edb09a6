package dev.vertlet.configsync.store;

import static dev.vertlet.configsync.Sources.resolved;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.configsync.store.MemoryFiles.Crash;
import dev.vertlet.configsync.store.StoredMeta.Assigned;
import dev.vertlet.testsupport.fuzz.YamlBombs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * P0 to P15: the process is ended, or the power lost, at every single change of the disk in the
 * life of a store, and the next process finds a whole config: the old one or the new one.
 */
class StoreCrashTest {
  private static final Path DIRECTORY = Path.of("/data/config");
  private static final ResolvedSource C1 = resolved("c1", 1);
  private static final ResolvedSource C2 = resolved("c1", 2);
  private static final ResolvedSource C3 = resolved("c3", 1);

  /** What the life of a node does to its store, one after the other. */
  private interface Step {
    void on(CheckpointStore store, MemoryFiles files) throws IOException;
  }

  private record Known(@Nullable ResolvedSource assigned, @Nullable ResolvedSource good) {}

  private static final List<Step> LIFE =
      List.of(
          (store, files) -> store.save(C1, data(C1)),
          (store, files) -> store.writeAssigned(C1),
          (store, files) -> store.writeLastKnownGood(C1),
          (store, files) -> store.save(C2, data(C2)),
          (store, files) -> store.writeAssigned(C2),
          StoreCrashTest::load,
          (store, files) -> store.writeLastKnownGood(C2),
          (store, files) -> store.save(C3, data(C3)),
          (store, files) -> store.writeAssigned(C3),
          (store, files) -> files.now = files.now.plus(Duration.ofDays(2)),
          (store, files) -> store.collect(C3, 0, files.now),
          (store, files) -> store.writeLastKnownGood(null),
          (store, files) -> store.writeAssigned(null));

  private static final List<Known> AFTER =
      List.of(
          new Known(null, null),
          new Known(C1, null),
          new Known(C1, C1),
          new Known(C1, C1),
          new Known(C2, C1),
          new Known(C2, C1),
          new Known(C2, C2),
          new Known(C2, C2),
          new Known(C3, C2),
          new Known(C3, C2),
          new Known(C3, C2),
          new Known(C3, null),
          new Known(null, null));

  private static void load(CheckpointStore store, MemoryFiles files) throws IOException {
    store.loading(C2);
    store.read(C2);
    store.loaded(C2);
    store.sync();
  }

  private static Map<String, String> data(ResolvedSource source) {
    return Map.of("kubelet", "payload of " + source.resourceVersion(), "other", "x".repeat(100));
  }

  private static CheckpointStore store(MemoryFiles files) {
    Random suffixes = new Random(files.changes());
    return new CheckpointStore(
        files, DIRECTORY, "node-1", () -> Integer.toHexString(suffixes.nextInt()));
  }

  private static Known opened(CheckpointStore store, MemoryFiles files) throws IOException {
    StoredMeta meta = store.open(files.now);
    assertThat(meta.assigned()).isNotInstanceOf(Assigned.Corrupt.class);
    assertThat(meta.fatal()).isSubsetOf(C2);
    ResolvedSource assigned =
        meta.assigned() instanceof Assigned.Remote remote ? remote.source() : null;
    return new Known(assigned, meta.lastKnownGood());
  }

  /** Lives as long as it can; how many steps were done. */
  private static int live(MemoryFiles files) throws IOException {
    CheckpointStore store = store(files);
    int done = -1;
    try {
      store.open(files.now);
      for (done = 0; done < LIFE.size(); done++) {
        LIFE.get(done).on(store, files);
      }
    } catch (Crash e) {
      return done;
    }
    return done;
  }

  private static void check(MemoryFiles files, int done, String when) throws IOException {
    files.recover();
    CheckpointStore next = store(files);
    Known found = opened(next, files);

    Known before = done <= 0 ? new Known(null, null) : AFTER.get(done - 1);
    Known after = done < 0 ? before : AFTER.get(Math.min(done, AFTER.size() - 1));
    assertThat(found).as(when).isIn(before, after);
    assertThat(files.all())
        .as(when)
        .noneMatch(path -> String.valueOf(path.getFileName()).startsWith("tmp_"));
    for (ResolvedSource source : new ResolvedSource[] {found.assigned(), found.good()}) {
      if (source != null) {
        assertThat(next.read(source))
            .as(when)
            .asString(UTF_8)
            .isEqualTo(data(source).get("kubelet"));
      }
    }
    whole(files, next, when);
    // and goes on where the other one stopped
    for (int i = Math.max(done, 0); i < LIFE.size(); i++) {
      LIFE.get(i).on(next, files);
    }
    assertThat(opened(store(files), files)).as(when).isEqualTo(AFTER.get(AFTER.size() - 1));
    assertThat(store(files).open(files.now).fatal()).as(when).isEmpty();
  }

  /** What has its name is complete. */
  private static void whole(MemoryFiles files, CheckpointStore store, String when)
      throws IOException {
    for (ResolvedSource source : List.of(C1, C2, C3)) {
      if (files.exists(store.directory(source))) {
        assertThat(files.list(store.directory(source)))
            .as(when)
            .containsExactly("kubelet", "other");
        assertThat(files.read(store.directory(source).resolve("other")))
            .as(when)
            .asString(UTF_8)
            .isEqualTo(data(source).get("other"));
      }
    }
  }

  private static int changesOfALife() throws IOException {
    MemoryFiles files = new MemoryFiles();
    assertThat(live(files)).isEqualTo(LIFE.size());
    return files.changes();
  }

  /** A51, A52, A53, A55, A56; P0 to P14 by {@code kill -9}. */
  @Test
  @Tag("A51")
  @Tag("A52")
  @Tag("A53")
  @Tag("A55")
  @Tag("A56")
  void whereverTheProcessIsKilledTheNextOneFindsAWholeConfig() throws IOException {
    int all = changesOfALife();
    assertThat(all).isGreaterThan(60);
    for (int i = 0; i < all; i++) {
      MemoryFiles files = new MemoryFiles();
      files.crashAfter(i);
      check(files, live(files), "killed at change " + i);
    }
  }

  /** P0 to P14 by power loss, with whatever of the last names survives it. */
  @Test
  void whereverThePowerGoesTheNextProcessFindsAWholeConfig() throws IOException {
    int all = changesOfALife();
    for (int i = 0; i < all; i++) {
      for (int seed = 0; seed < 20; seed++) {
        MemoryFiles files = new MemoryFiles();
        files.crashAfter(i);
        int done = live(files);
        files.losePower(new Random(seed));
        check(files, done, "power lost at change " + i + ", seed " + seed);
      }
    }
  }

  /** P15. */
  @Test
  void whereverTheDiskIsFullNothingIsLostAndTheSameStepIsDoneLater() throws IOException {
    int all = changesOfALife();
    for (int i = 0; i < all; i++) {
      MemoryFiles files = new MemoryFiles();
      CheckpointStore store = store(files);
      store.open(files.now);
      files.fullAfter(i);
      List<Integer> failed = new ArrayList<>();
      for (int step = 0; step < LIFE.size(); step++) {
        try {
          LIFE.get(step).on(store, files);
        } catch (IOException e) {
          assertThat(e).hasMessage("No space left on device");
          failed.add(step);
          whole(files, store, "full at change " + i);
          files.recover();
          int again = step;
          assertThatCode(() -> LIFE.get(again).on(store, files)).doesNotThrowAnyException();
        }
      }
      assertThat(failed).hasSizeLessThanOrEqualTo(1);
      check(files, LIFE.size(), "full at change " + i);
    }
  }

  /** Whatever in a payload ends a process. */
  @Test
  void whereALoadEndsTheProcessTheNextOneKnowsWhichAndKeepsTheGoodOne() throws IOException {
    for (Map.Entry<String, String> bomb : YamlBombs.all().entrySet()) {
      MemoryFiles files = new MemoryFiles();
      CheckpointStore store = store(files);
      store.open(files.now);
      store.save(C1, data(C1));
      store.writeLastKnownGood(C1);
      store.save(C2, Map.of("kubelet", bomb.getValue()));
      store.writeAssigned(C2);
      store.loading(C1);
      store.loaded(C1);
      store.loading(C2);

      for (int restart = 0; restart < 2; restart++) {
        assertThat(store(files).open(files.now))
            .as(bomb.getKey())
            .isEqualTo(new StoredMeta(new Assigned.Remote(C2, files.now), C1, Set.of(C2)));
      }
      CheckpointStore later = store(files);
      later.open(files.now);
      later.writeAssigned(C1);
      files.now = files.now.plus(Duration.ofDays(2));
      later.collect(C1, 0, files.now);
      assertThat(store(files).open(files.now).fatal()).as(bomb.getKey()).isEmpty();
    }
  }

  @Test
  void whatIsNoFileNameIsNotSaved() throws IOException {
    MemoryFiles files = new MemoryFiles();
    CheckpointStore store = store(files);
    store.open(files.now);
    List<Path> before = files.all();

    for (String key : List.of("..", "a/b", "k".repeat(256))) {
      assertThatIOException()
          .isThrownBy(() -> store.save(C1, Map.of("kubelet", "x", key, "y")))
          .withMessage("a key of the ConfigMap is no file name");
    }

    assertThat(files.all()).isEqualTo(before);
  }
}
