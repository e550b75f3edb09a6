/** Opens the watch core to the simulation of a whole agent. */
@org.jspecify.annotations.NullMarked
package dev.vertlet.kube.watch;
