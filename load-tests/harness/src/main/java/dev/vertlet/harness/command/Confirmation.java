package dev.vertlet.harness.command;

import dev.vertlet.harness.run.Patience;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Asks for confirmation before a command changes a cluster. */
final class Confirmation {
  private Confirmation() {}

  /**
   * Announces the change and waits for the answer unless it was given.
   *
   * @param given {@code --yes}
   * @throws ParameterException without a terminal to ask on
   */
  static boolean to(String announcement, boolean given, CommandLine command, Patience patience)
      throws InterruptedException {
    PrintWriter err = command.getErr();
    err.println(announcement);
    err.flush();
    if (given) {
      return true;
    }
    Console console = System.console();
    if (console == null) {
      throw new ParameterException(command, "--yes is needed where there is no terminal to ask on");
    }
    String text = patience.await(answer(console), () -> "no answer");
    return text.strip().toLowerCase(Locale.ROOT).matches("y|yes");
  }

  /** Reads on a separate thread: reading cannot be interrupted, and Ctrl-C has to end the wait. */
  private static CompletableFuture<String> answer(Console console) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> answer.complete(String.valueOf(console.readLine("Go on? [y/N] "))), "question");
    reader.setDaemon(true);
    reader.start();
    return answer;
  }
}
