/** Results as one self-contained HTML file, which needs no network. */
@NullMarked
package dev.vertlet.harness.result.html;

import org.jspecify.annotations.NullMarked;
