package dev.vertlet.cri.container;

import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.container.ContainerRecord;
import java.nio.file.Path;

/**
 * A container as the runtime was last seen to have it.
 *
 * @param id without scheme
 * @param sandbox id of its sandbox
 * @param log path of its log file
 * @param seen number of the relist during or after which it was last seen
 */
public record CachedContainer(
    String id, String sandbox, ContainerRecord record, Path log, long seen) {
  /** Whether it has ended. */
  public boolean ended() {
    return record.state() instanceof Terminated;
  }

  CachedContainer with(ContainerRecord other, long seenNow) {
    return new CachedContainer(id, sandbox, other, log, seenNow);
  }

  CachedContainer seen(long now) {
    return new CachedContainer(id, sandbox, record, log, now);
  }
}
