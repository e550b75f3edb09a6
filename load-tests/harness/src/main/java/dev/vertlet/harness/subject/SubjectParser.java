package dev.vertlet.harness.subject;

import dev.vertlet.kubelet.KubeletOptions.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Parses a subject on the command line: a known name, the file of a {@link Peer}, or a new name
 * with a command line.
 */
public final class SubjectParser {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*=.*");
  private static final String JSON = ".json";
  private static final String VERTLET = "vertlet";
  private static final String FAST = "vertlet-fast";
  private static final String REMOTE = "vertlet-remote";
  private static final String IN_PROCESS = "vertlet-in-process";

  private final Path peers;
  private final Profile profile;

  /**
   * @param home home of vertlet, whose {@code conf/examples/load/peers} are known by name
   * @param profile profile of vertlet if its name selects none
   */
  public SubjectParser(Path home, Profile profile) {
    this.peers = home.resolve("conf/examples/load/peers");
    this.profile = profile;
  }

  /**
   * @param text {@code NAME}, {@code FILE.json} or {@code NAME=COMMAND}
   * @throws IllegalArgumentException with the mistake and what is allowed
   */
  public SubjectSpec parse(String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      return known(text);
    }
    String name = text.substring(0, equals);
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is no name; it must be of letters, digits, dots, dashes and underscores"
              .formatted(name));
    }
    return command(name, CommandLineSplitter.of(text.substring(equals + 1)));
  }

  private SubjectSpec known(String name) {
    return switch (name) {
      case VERTLET -> new SubjectSpec.Vertlet(name, profile, List.of(), Map.of());
      case FAST -> new SubjectSpec.Vertlet(name, Profile.FAST, List.of(), Map.of());
      case REMOTE ->
          new SubjectSpec.Remote(new SubjectSpec.Vertlet(name, profile, List.of(), Map.of()));
      case IN_PROCESS -> new SubjectSpec.InProcess(name, profile);
      default -> new SubjectSpec.Program(peer(name));
    };
  }

  private Peer peer(String name) {
    Path file = name.endsWith(JSON) ? Path.of(name) : peers.resolve(name + JSON);
    if (!name.endsWith(JSON) && (!NAME.matcher(name).matches() || !Files.exists(file))) {
      throw new IllegalArgumentException(
          "\"%s\" is no subject; there are %s, the FILE%s of a definition, and NAME=COMMAND"
              .formatted(name, String.join(", ", names()), JSON));
    }
    return PeerReader.read(file);
  }

  private SubjectSpec command(String name, List<String> words) {
    Map<String, String> environment = new LinkedHashMap<>();
    int first = 0;
    while (first < words.size() && VARIABLE.matcher(words.get(first)).matches()) {
      String[] variable = words.get(first).split("=", 2);
      environment.put(variable[0], variable[1]);
      first++;
    }
    if (first == words.size()) {
      throw new IllegalArgumentException("\"%s=\" must be followed by a command".formatted(name));
    }
    String program = words.get(first);
    List<String> arguments = words.subList(first + 1, words.size());
    if (!names().contains(program) && !program.endsWith(JSON)) {
      return new SubjectSpec.Program(
          Peer.of(name, words.subList(first, words.size()), environment));
    }
    return variant(name, known(program), arguments, environment);
  }

  /** Adds options to a known subject. */
  private static SubjectSpec variant(
      String name, SubjectSpec base, List<String> arguments, Map<String, String> environment) {
    if (base instanceof SubjectSpec.Program program) {
      return new SubjectSpec.Program(program.peer().with(name, arguments, environment));
    }
    if (base instanceof SubjectSpec.Vertlet vertlet) {
      return vertlet(name, vertlet.profile(), arguments, environment);
    }
    if (base instanceof SubjectSpec.Remote remote) {
      return new SubjectSpec.Remote(
          vertlet(name, remote.vertlet().profile(), arguments, environment));
    }
    if (!arguments.isEmpty() || !environment.isEmpty()) {
      throw new IllegalArgumentException(
          "%s: %s runs in a process that runs already and takes no options"
              .formatted(name, base.name()));
    }
    return base;
  }

  private static SubjectSpec.Vertlet vertlet(
      String name, Profile profile, List<String> options, Map<String, String> environment) {
    for (String option : options) {
      if (!option.startsWith("-") && !option.startsWith("@")) {
        throw new IllegalArgumentException(
            "%s: \"%s\" must be a JVM option, which begins with - or @".formatted(name, option));
      }
    }
    return new SubjectSpec.Vertlet(name, profile, options, environment);
  }

  /** All known names. */
  private TreeSet<String> names() {
    TreeSet<String> names = new TreeSet<>(List.of(VERTLET, FAST, REMOTE, IN_PROCESS));
    if (!Files.isDirectory(peers)) {
      return names;
    }
    try (Stream<Path> files = Files.list(peers)) {
      files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(JSON))
          .forEach(file -> names.add(file.substring(0, file.length() - JSON.length())));
      return names;
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot list " + peers + ": " + e.getMessage(), e);
    }
  }
}
