/**
 * What the API server should show of a pod: its phase, conditions and containers. Functions of a
 * pod's state and the time.
 */
@NullMarked
package dev.vertlet.lifecycle.status;

import org.jspecify.annotations.NullMarked;
