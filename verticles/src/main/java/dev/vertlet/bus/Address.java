package dev.vertlet.bus;

/**
 * A typed event bus address.
 *
 * @param <T> the only message type that travels here
 */
public record Address<T extends BusMessage>(String name, Class<T> type) {
  /** The address of one shard's share of this traffic. */
  public Address<T> shard(int shard) {
    return new Address<>(name + "." + shard, type);
  }
}
