package dev.vertlet.events;

import static dev.vertlet.bus.Addresses.OBJECT_EVENT;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.ObjectEvent;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes events to the recorder of an embedding program, in place of {@link EventVerticle}. */
public final class EventRecorderVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(EventRecorderVerticle.class);

  private final Consumer<ObjectEvent> recorder;
  private final Bus bus;

  public EventRecorderVerticle(Consumer<ObjectEvent> recorder, Bus bus) {
    this.recorder = recorder;
    this.bus = bus;
  }

  @Override
  public Future<?> start() {
    return bus.consume(OBJECT_EVENT, this::record).completion();
  }

  private void record(ObjectEvent event) {
    try {
      recorder.accept(event);
    } catch (RuntimeException | LinkageError e) {
      LOG.atWarn()
          .addKeyValue("reason", event.reason())
          .addKeyValue("error", e.toString())
          .log("the program's event recorder fails");
    }
  }
}
