package dev.vertlet.bus;

/**
 * A typed event bus address at which one receiver answers each message.
 *
 * @param <Q> type of the question
 * @param <A> type of the answer
 */
public record Question<Q extends BusMessage, A extends BusMessage>(
    String name, Class<Q> question, Class<A> answer) {
  /** Returns the address of one shard. */
  public Question<Q, A> shard(int shard) {
    return new Question<>(name + "." + shard, question, answer);
  }
}
