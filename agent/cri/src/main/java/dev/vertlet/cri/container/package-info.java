/**
 * Containers: their configuration, field by field as a kubelet writes it, the calls that create,
 * start, stop and remove them, and the states that the runtime reports.
 */
@NullMarked
package dev.vertlet.cri.container;

import org.jspecify.annotations.NullMarked;
