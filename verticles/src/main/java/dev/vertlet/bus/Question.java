package dev.vertlet.bus;

/**
 * A typed event bus address at which each message is answered by its one receiver.
 *
 * @param <Q> the only message type that travels there
 * @param <A> the only message type that comes back
 */
public record Question<Q extends BusMessage, A extends BusMessage>(
    String name, Class<Q> question, Class<A> answer) {
  /** The address of one shard's share of this traffic. */
  public Question<Q, A> shard(int shard) {
    return new Question<>(name + "." + shard, question, answer);
  }
}
