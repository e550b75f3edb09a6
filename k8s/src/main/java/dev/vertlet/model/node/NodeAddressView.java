package dev.vertlet.model.node;

/**
 * One address of a node.
 *
 * @param type InternalIP, ExternalIP or Hostname
 */
public record NodeAddressView(String type, String address) {}
