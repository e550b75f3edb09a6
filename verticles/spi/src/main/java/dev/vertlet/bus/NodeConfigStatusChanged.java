package dev.vertlet.bus;

/**
 * Published when the status of a node's dynamic configuration changes. A config is named {@code
 * namespace/name, version}; the local one is the empty string.
 *
 * @param assigned config that the node is to run with
 * @param active config that it runs with
 * @param lastKnownGood config that it falls back to
 * @param error empty without an error
 */
public record NodeConfigStatusChanged(
    String node, String assigned, String active, String lastKnownGood, String error)
    implements BusMessage {}
