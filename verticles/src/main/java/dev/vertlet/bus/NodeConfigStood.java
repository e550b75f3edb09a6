package dev.vertlet.bus;

/**
 * How it stands with the config of a node that the cluster configures; told whenever that changes.
 * A config is named as {@code namespace/name, version}, and the local one by the empty text.
 *
 * @param assigned which one the node is to run by
 * @param active which one it runs by
 * @param lastKnownGood which one it goes back to
 * @param error empty when nothing is wrong
 */
public record NodeConfigStood(
    String node, String assigned, String active, String lastKnownGood, String error)
    implements BusMessage {}
