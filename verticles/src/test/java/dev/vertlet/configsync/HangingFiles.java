package dev.vertlet.configsync;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
    StoreFiles real = new DiskFiles();
    return (StoreFiles)
        Proxy.newProxyInstance(
            StoreFiles.class.getClassLoader(),
            new Class<?>[] {StoreFiles.class},
            (proxy, method, arguments) -> {
              if (((Path) arguments[0]).startsWith(hanging)) {
                disk.await();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
