/** A whole agent and a whole cluster in one thread and in virtual time, driven by a seed. */
@org.jspecify.annotations.NullMarked
package dev.vertlet.simulation;
