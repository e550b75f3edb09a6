/**
 * The disruption controller: keeps the status of PodDisruptionBudgets.
 *
 * <p>A controller in the sense of {@link dev.vertlet.apiserver.control}. It counts the pods a
 * budget selects as they come, change and go; a write of the status follows in a later turn.
 * Workload controllers and their scale are not served here, so the number of expected pods is the
 * number of selected ones.
 */
@NullMarked
package dev.vertlet.apiserver.disruption;

import org.jspecify.annotations.NullMarked;
