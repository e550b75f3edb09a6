package dev.vertlet.bus;

import dev.vertlet.model.node.NodeView;

/** The watch of own nodes saw a new or changed object. */
public record NodeObserved(NodeView node) implements BusMessage {}
