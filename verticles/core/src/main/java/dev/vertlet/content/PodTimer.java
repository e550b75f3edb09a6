package dev.vertlet.content;

/** One timer of a pod, which is set or not. Confined to the shard's loop. */
final class PodTimer {
  private long id = -1;
  private long at = Long.MAX_VALUE;

  /** When it ends, epoch milliseconds; {@link Long#MAX_VALUE} if it is not set. */
  long at() {
    return at;
  }

  /** Sets the timer, instead of an earlier setting. */
  void set(ContentServices services, long end, Runnable task) {
    cancel(services);
    at = end;
    id =
        services
            .loop()
            .setTimer(
                Math.max(1, end - services.now()),
                () -> {
                  unset();
                  task.run();
                });
  }

  void cancel(ContentServices services) {
    if (id >= 0) {
      services.loop().cancelTimer(id);
      unset();
    }
  }

  private void unset() {
    id = -1;
    at = Long.MAX_VALUE;
  }
}
