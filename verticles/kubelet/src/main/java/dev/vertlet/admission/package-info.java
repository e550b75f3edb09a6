/**
 * Admission handlers: the checks that a kubelet makes before it starts a pod that is bound to its
 * node, with a kubelet's reasons and messages.
 *
 * <p>Pure: no Vert.x, no clock. {@link dev.vertlet.admission.Admission} decides, {@link
 * dev.vertlet.admission.NodeLedger} keeps running totals of the requests of one node's pods, so
 * that a decision has the same cost however many run there. Each ledger is confined to one thread.
 * {@link dev.vertlet.admission.Preemption} chooses the victims of a critical pod.
 *
 * <p>Not checked: topology of devices.
 */
@NullMarked
package dev.vertlet.admission;

import org.jspecify.annotations.NullMarked;
