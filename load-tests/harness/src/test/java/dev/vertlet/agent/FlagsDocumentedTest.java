package dev.vertlet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.cli.Cli;
import dev.vertlet.cli.CommandContributor;
import dev.vertlet.cli.Termination;
import dev.vertlet.config.process.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Documents mention every flag, and give {@code ./vertlet} no flag that it does not have. */
class FlagsDocumentedTest {
  private static final Path REPOSITORY = Path.of("..", "..").toAbsolutePath().normalize();
  private static final Pattern CALL = Pattern.compile("\\./vertlet +([^`#;&\\n]*)");
  private static final Pattern FLAG = Pattern.compile("(?<![\\w-])--[a-z][a-z-]*");

  private static final Set<String> EVERYWHERE = Set.of("--help", "--version");

  private CommandLine root;

  @BeforeEach
  void makeTree() {
    Termination termination = new Termination();
    Environment environment = Environment.ofProcess();
    AgentCommand agent = new AgentCommand(environment, Agent::start, termination);
    root = new Cli(environment, agent, termination).tree();
    ServiceLoader.load(CommandContributor.class)
        .forEach(contributor -> contributor.contribute(root, new CompletableFuture<>()));
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.list(REPOSITORY.resolve("docs"))) {
      return Stream.concat(
              docs.filter(file -> file.toString().endsWith(".md")),
              Stream.of(REPOSITORY.resolve("README.md")))
          .toList();
    }
  }

  /** A call goes on after a backslash; in tables those stand before what is no border. */
  private static String text(Path document) throws IOException {
    return Files.readString(document).replaceAll("\\\\\\n\\s*", " ").replace("\\|", "|");
  }

  private static Set<String> flags(CommandSpec command) {
    return command.options().stream()
        .flatMap(option -> Stream.of(option.names()))
        .filter(name -> name.startsWith("--"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<CommandSpec> commands(CommandSpec command) {
    List<CommandSpec> all = new ArrayList<>(List.of(command));
    for (CommandLine each : Set.copyOf(command.subcommands().values())) {
      all.addAll(commands(each.getCommandSpec()));
    }
    return all;
  }

  @Test
  void flagsOfCallsAreThere() throws IOException {
    List<String> unknown = new ArrayList<>();
    for (Path document : documents()) {
      CALL.matcher(text(document))
          .results()
          .forEach(
              call -> {
                String words = call.group(1);
                List<CommandSpec> reached = reached(words);
                FLAG.matcher(words)
                    .results()
                    .map(flag -> flag.group())
                    .filter(flag -> !EVERYWHERE.contains(flag))
                    .filter(
                        flag ->
                            !reached.stream().allMatch(command -> flags(command).contains(flag)))
                    .forEach(
                        flag ->
                            unknown.add(
                                document.getFileName() + ": ./vertlet " + words + ": " + flag));
              });
    }

    assertThat(unknown).isEmpty();
  }

  /** The commands that these words begin with; {@code one|other} is any of several. */
  private List<CommandSpec> reached(String words) {
    List<CommandLine> reached = new ArrayList<>(List.of(root));
    for (String word : words.split(" +")) {
      List<CommandLine> next =
          reached.stream()
              .map(CommandLine::getSubcommands)
              .flatMap(
                  (Map<String, CommandLine> subcommands) ->
                      Stream.of(word.split("\\|"))
                          .filter(subcommands::containsKey)
                          .map(subcommands::get))
              .toList();
      if (next.isEmpty()) {
        break;
      }
      reached = next;
    }
    return reached.stream().map(CommandLine::getCommandSpec).toList();
  }

  @Test
  void flagsAreInADocument() throws IOException {
    Set<String> mentioned = new HashSet<>(EVERYWHERE);
    for (Path document : documents()) {
      FLAG.matcher(text(document)).results().map(MatchResult::group).forEach(mentioned::add);
    }

    assertThat(commands(root.getCommandSpec()))
        .flatExtracting(CommandSpec::options)
        .filteredOn(option -> !option.hidden())
        .allSatisfy(option -> assertThat(option.names()).containsAnyElementsOf(mentioned));
  }

  @Test
  void commandsAreInTheirDocument() throws IOException {
    Set<String> told =
        Pattern.compile("(?m)^\\| `\\./vertlet ([a-z-]+)")
            .matcher(Files.readString(REPOSITORY.resolve("docs/commands.md")))
            .results()
            .map(row -> row.group(1))
            .collect(Collectors.toSet());

    assertThat(root.getSubcommands().keySet()).isEqualTo(told);
  }
}
