package dev.vertlet.bus;

/**
 * A typed event bus address.
 *
 * @param <T> the only message type that travels here
 */
public record Address<T extends BusMessage>(String name, Class<T> type) {
  /** Returns the address of one shard. */
  public Address<T> shard(int shard) {
    return new Address<>(name + "." + shard, type);
  }
}
