package dev.vertlet.references;

import static dev.vertlet.bus.Addresses.REFERENCE_READ;
import static dev.vertlet.bus.Addresses.REFERENCE_WANTED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.ReferenceRead;
import dev.vertlet.bus.ReferenceWanted;
import dev.vertlet.env.ReferenceSource;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredView;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** {@link ReferenceSource} of a shard, through the {@link ReferenceWatchVerticle}. */
public final class BusReferences implements ReferenceSource {
  private final Bus bus;
  private final int shard;
  private @Nullable MessageConsumer<ReferenceRead> readings;

  public BusReferences(Bus bus, int shard) {
    this.bus = bus;
    this.shard = shard;
  }

  @Override
  public void start(BiConsumer<ReferredKey, List<ReferredView>> listener) {
    readings = bus.consume(REFERENCE_READ.shard(shard), m -> listener.accept(m.key(), m.objects()));
  }

  @Override
  public void follow(ReferredKey key) {
    bus.send(REFERENCE_WANTED, new ReferenceWanted(shard, key, true));
  }

  @Override
  public void leave(ReferredKey key) {
    bus.send(REFERENCE_WANTED, new ReferenceWanted(shard, key, false));
  }

  @Override
  public void stop() {
    if (readings != null) {
      readings.unregister();
    }
  }
}
