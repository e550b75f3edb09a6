/** Control groups of pods and of their QoS classes, above those of containers. */
@NullMarked
package dev.vertlet.cri.cgroup;

import org.jspecify.annotations.NullMarked;
