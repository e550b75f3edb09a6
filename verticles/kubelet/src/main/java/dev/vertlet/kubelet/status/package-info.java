/**
 * Assembles the status of a pod for the API server: phase, conditions and containers. All are
 * functions of a pod's state and the time.
 */
@NullMarked
package dev.vertlet.kubelet.status;

import org.jspecify.annotations.NullMarked;
