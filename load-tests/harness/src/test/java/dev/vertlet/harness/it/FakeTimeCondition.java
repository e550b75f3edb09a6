package dev.vertlet.harness.it;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Skips what sets the clock of one process where the library that does it is not installed. */
final class FakeTimeCondition extends ToolCondition {
  /** Where Debian has libraries, by architecture. */
  private static final List<Path> PLACES =
      List.of(Path.of("/usr/lib/x86_64-linux-gnu"), Path.of("/usr/lib/aarch64-linux-gnu"));

  private static final Path LIBRARY = Path.of("faketime", "libfaketime.so.1");

  private final List<Path> places;

  FakeTimeCondition() {
    this(System.getenv(), PLACES, System.out::println);
  }

  FakeTimeCondition(Map<String, String> environment, List<Path> places, Consumer<String> teller) {
    super("Tests that set a clock", environment, teller);
    this.places = places;
  }

  /** The library to load before others. */
  static Optional<Path> library() {
    return find(PLACES);
  }

  private static Optional<Path> find(List<Path> places) {
    return places.stream()
        .map(place -> place.resolve(LIBRARY))
        .filter(Files::isReadable)
        .findFirst();
  }

  @Override
  Optional<String> missing() {
    return find(places).isPresent()
        ? Optional.empty()
        : Optional.of("no " + LIBRARY + " in " + places + ": Debian's package faketime has it");
  }
}
