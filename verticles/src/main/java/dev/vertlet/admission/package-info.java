/**
 * May a pod that is bound to a node run there? The checks that a kubelet makes before it starts
 * anything of a pod, with its reasons and messages.
 *
 * <p>Pure: no Vert.x, no clock. {@link dev.vertlet.admission.Admission} decides, {@link
 * dev.vertlet.admission.NodeLedger} keeps running totals of what the pods of one node take, so that
 * a decision costs the same whatever runs there. Whoever owns a ledger calls it on one thread.
 * {@link dev.vertlet.admission.Preemption} chooses who makes room for a critical pod.
 *
 * <p>Not checked: topology of devices.
 */
@NullMarked
package dev.vertlet.admission;

import org.jspecify.annotations.NullMarked;
