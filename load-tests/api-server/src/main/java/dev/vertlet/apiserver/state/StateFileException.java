package dev.vertlet.apiserver.state;

import java.io.IOException;
import java.nio.file.Path;

/** A state file that cannot be what a server wrote. The file is left as it is. */
public final class StateFileException extends IOException {
  private static final long serialVersionUID = 1L;

  StateFileException(Path file, int line, String why) {
    super(
        "the state file %s is corrupt in line %d: %s; it was left as it is, move it away to start with an empty cluster"
            .formatted(file, line, why));
  }
}
