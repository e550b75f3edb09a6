package dev.vertlet.bus;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Typed access to Vert.x's event bus. Handlers run on the context that registered them; a consumer
 * registered on a verticle's context ends with the verticle that Vert.x deployed: in an agent, with
 * its event loop, so that a stopped verticle still hears messages.
 */
public final class Bus {
  /**
   * Naming the codec here saves the bus a look-up for each message; never changed after
   * construction.
   */
  private static final DeliveryOptions OPTIONS =
      new DeliveryOptions().setCodecName(LocalCodec.NAME).setLocalOnly(true);

  private final EventBus bus;

  private Bus(EventBus bus) {
    this.bus = bus;
  }

  /** Prepares a Vertx instance's bus for vertlet's messages; called once per Vertx. */
  public static Bus install(Vertx vertx) {
    vertx.eventBus().registerCodec(new LocalCodec());
    return new Bus(vertx.eventBus());
  }

  /** Sends a message to one receiver; it is lost if there is none. */
  public <T extends BusMessage> void send(Address<T> address, T message) {
    bus.send(address.name(), message, OPTIONS);
  }

  /**
   * Sends a message to the one receiver of the address; it is lost if there is none. A receiver on
   * the same context gets it together with all that was sent there before its turn.
   */
  public <T extends BusMessage> void send(BatchAddress<T> address, T message) {
    Context current = Vertx.currentContext();
    Batch<T> batch = current == null ? null : current.get(address.name());
    if (batch == null) {
      bus.send(address.name(), message, OPTIONS);
    } else if (batch.add(message)) {
      current.runOnContext(v -> batch.deliver());
    }
  }

  /** Publishes a message to all receivers; it is lost if there are none. */
  public <T extends BusMessage> void publish(Address<T> address, T message) {
    bus.publish(address.name(), message, OPTIONS);
  }

  /**
   * Sends a question.
   *
   * @return completes on the caller's context; fails without a receiver, or without an answer
   *     within 30 s
   */
  public <Q extends BusMessage, A extends BusMessage> Future<A> ask(
      Question<Q, A> address, Q question) {
    return bus.<A>request(address.name(), question, OPTIONS)
        .map(reply -> address.answer().cast(reply.body()));
  }

  /** Calls {@code handler} on the current context for each question and replies with its result. */
  public <Q extends BusMessage, A extends BusMessage> MessageConsumer<Q> answer(
      Question<Q, A> address, Function<Q, A> handler) {
    return bus.localConsumer(
        address.name(), m -> m.reply(handler.apply(address.question().cast(m.body())), OPTIONS));
  }

  /** Calls {@code handler} on the current context for each message. */
  public <T extends BusMessage> MessageConsumer<T> consume(
      Address<T> address, Consumer<T> handler) {
    return bus.localConsumer(address.name(), m -> handler.accept(address.type().cast(m.body())));
  }

  /** Calls {@code handler} on the current context with each batch, the oldest message first. */
  public <T extends BusMessage> MessageConsumer<T> consume(
      BatchAddress<T> address, Consumer<List<T>> handler) {
    Context current = Vertx.currentContext();
    if (current != null) {
      current.put(address.name(), new Batch<>(handler));
    }
    return bus.localConsumer(
        address.name(), m -> handler.accept(List.of(address.type().cast(m.body()))));
  }

  /** Messages that wait for the turn of a receiver on the same context; confined to it. */
  private static final class Batch<T> {
    private final Consumer<List<T>> handler;
    private List<T> waiting = new ArrayList<>();

    Batch(Consumer<List<T>> handler) {
      this.handler = handler;
    }

    /** Returns whether the message is the first, so that {@link #deliver} is due. */
    boolean add(T message) {
      waiting.add(message);
      return waiting.size() == 1;
    }

    void deliver() {
      List<T> batch = waiting;
      waiting = new ArrayList<>();
      handler.accept(batch);
    }
  }
}
