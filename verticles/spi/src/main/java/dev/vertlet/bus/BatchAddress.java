package dev.vertlet.bus;

/**
 * A typed event bus address with one receiver, which gets messages together that were sent on its
 * own context: those of one turn cost it one turn. Messages of other contexts arrive one by one.
 *
 * @param <T> the only message type that travels here
 */
public record BatchAddress<T extends BusMessage>(String name, Class<T> type) {
  /** Returns the address of one shard. */
  public BatchAddress<T> shard(int shard) {
    return new BatchAddress<>(name + "." + shard, type);
  }
}
