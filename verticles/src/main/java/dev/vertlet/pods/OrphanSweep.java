package dev.vertlet.pods;

import dev.vertlet.bus.PodReport;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.provider.PodProvider;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends what a provider runs and nobody asked for. Confined to its loop. */
final class OrphanSweep {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanSweep.class);

  private static final long AGAIN_MILLIS = 10_000;

  private final PodProvider provider;
  private final CoreLoop loop;
  private final PodSync.Surroundings around;
  private final Predicate<PodReport> orphan;

  private boolean sweeping;

  /**
   * @param orphan whether what the provider holds should be ended; asked anew each time
   */
  OrphanSweep(
      PodProvider provider,
      CoreLoop loop,
      PodSync.Surroundings around,
      Predicate<PodReport> orphan) {
    this.provider = provider;
    this.loop = loop;
    this.around = around;
    this.orphan = orphan;
  }

  /** One look at the provider serves all nodes that begin in this turn of the loop. */
  void sweep() {
    if (!sweeping) {
      sweeping = true;
      loop.later(this::look);
    }
  }

  private void look() {
    sweeping = false;
    around
        .ask(provider::list)
        .onSuccess(reports -> reports.forEach(this::held))
        .onFailure(
            failure -> {
              PodSync.warn("list", "", failure);
              again();
            });
  }

  /** The provider holds this pod; it is ended unless it should run. */
  void held(PodReport held) {
    if (orphan.test(held)) {
      end(held);
    }
  }

  private void end(PodReport held) {
    LOG.atInfo()
        .addKeyValue("node", held.node())
        .addKeyValue("pod", held.pod().display())
        .addKeyValue("podUid", held.pod().uid())
        .log("ending a pod that no source holds, or that the API server holds as ended");
    around
        .ask(() -> provider.kill(held.pod()))
        .onFailure(
            failure -> {
              PodSync.warn("kill", held.pod().display(), failure);
              again();
            });
  }

  /** An orphan that could not be ended is looked for again. */
  private void again() {
    if (!sweeping) {
      sweeping = true;
      loop.setTimer(AGAIN_MILLIS, this::look);
    }
  }
}
