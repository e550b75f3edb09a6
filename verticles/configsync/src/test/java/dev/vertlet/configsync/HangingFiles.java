package dev.vertlet.configsync;

import dev.vertlet.configsync.store.DiskFiles;
import dev.vertlet.configsync.store.StoreFiles;
import dev.vertlet.testing.Fakes;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A disk on which some of the stores hang for a while. */
final class HangingFiles {
  private final Path hanging;
  private volatile CountDownLatch disk = new CountDownLatch(0);

  /**
   * @param hanging whatever is below it
   */
  HangingFiles(Path hanging) {
    this.hanging = hanging;
  }

  void hang() {
    disk = new CountDownLatch(1);
  }

  void goOn() {
    disk.countDown();
  }

  StoreFiles files() {
    return Fakes.hooked(
        StoreFiles.class,
        new DiskFiles(),
        (method, arguments) -> {
          if (((Path) arguments[0]).startsWith(hanging)) {
            disk.await();
          }
        });
  }
}
