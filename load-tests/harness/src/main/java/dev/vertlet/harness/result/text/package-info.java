/** Results as text for a terminal. */
@NullMarked
package dev.vertlet.harness.result.text;

import org.jspecify.annotations.NullMarked;
