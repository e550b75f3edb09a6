/** What processes use, looked at from outside. */
@NullMarked
package dev.vertlet.harness.measure;

import org.jspecify.annotations.NullMarked;
