/** Watches files by reading them at intervals on workers, and reports content that changed. */
@NullMarked
package dev.vertlet.auth.file;

import org.jspecify.annotations.NullMarked;
