/**
 * May a pod that is bound to a node run there? The checks that a kubelet makes before it starts
 * anything of a pod, with its reasons and messages.
 *
 * <p>Pure: no Vert.x, no clock. {@link dev.vertlet.admission.Admission} decides, {@link
 * dev.vertlet.admission.NodeLedger} keeps running totals of what the pods of one node take, so that
 * a decision costs the same whatever runs there. Whoever owns a ledger calls it on one thread.
 *
 * <p>Not checked: pressure of the node, topology of devices, and preemption in favour of critical
 * pods, which are refused like all others.
 */
@NullMarked
package dev.vertlet.admission;

import org.jspecify.annotations.NullMarked;
