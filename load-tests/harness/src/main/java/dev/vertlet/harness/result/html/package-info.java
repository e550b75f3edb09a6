/** Results for people with a browser: one file that needs nothing else, not even a network. */
@NullMarked
package dev.vertlet.harness.result.html;

import org.jspecify.annotations.NullMarked;
