package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A token says all that a replay needs, and is not taken for one when it is damaged. */
final class TokenTest {

  private static final Token SOME =
      new Token(
          "no-control",
          Scenario.users(1, 2, 1, 1),
          List.of(new Token.Fault(0, 3, CommandFault.REPLY_LOST)),
          List.of(
              new Token.At(0, "SELECT", 0x1f2e),
              new Token.At(1, "SELECT", 0x1f2e),
              new Token.At(0, "INSERT", 7),
              new Token.At(0, "COMMIT", 0xffff)));

  @Property(tries = 2000)
  void whatIsReadIsWhatWasWritten(@ForAll("tokens") Token token) {
    String text = token.text();

    assertThat(Token.parse(text)).isEqualTo(token);
    assertThat(Token.parse("  " + text + "\n")).isEqualTo(token);
    assertThat(text).as("needs no quotes in a shell").matches("SP1\\.[A-Za-z0-9_-]+");
  }

  @Property(tries = 2000)
  void aTokenCutShortIsRefused(@ForAll("tokens") Token token, @ForAll double where) {
    String text = token.text();
    int length = (int) (Math.abs(where) % 1 * (text.length() - 1));

    assertThatIllegalArgumentException().isThrownBy(() -> Token.parse(text.substring(0, length)));
  }

  @Example
  void aChangedLetterIsRefusedOrChangesNothing() {
    String text = SOME.text();
    int accepted = 0;
    for (int at = 4; at < text.length(); at++) {
      for (char other : "AZaz09-_".toCharArray()) {
        String changed = text.substring(0, at) + other + text.substring(at + 1);
        try {
          if (!Token.parse(changed).equals(SOME)) {
            accepted++;
          }
        } catch (IllegalArgumentException refused) {
          assertThat(refused).hasMessageContaining("damaged or was cut short");
        }
      }
    }
    assertThat(accepted).as("read as another token").isZero();
  }

  @Example
  void theMessageSaysWhatIsWrong() {
    assertThatThrownBy(() -> Token.parse("no-control 2 users"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a token starts with SP1., this is: no-control 2 users");
    assertThatThrownBy(() -> Token.parse("SP1.not!base64"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("this token is damaged or was cut short when it was copied: SP1.not!base64");
    assertThatThrownBy(() -> Token.parse("SP1." + "x".repeat(40)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("SP1." + "x".repeat(20) + "…");
  }

  @Provide
  static Arbitrary<Token> tokens() {
    return Combinators.combine(
            Arbitraries.strings()
                .withCharRange('a', 'z')
                .withChars('-')
                .ofMinLength(1)
                .ofMaxLength(20),
            scenarios(),
            faults().list().ofMaxSize(2),
            steps().list().ofMaxSize(40))
        .as(Token::new);
  }

  private static Arbitrary<Scenario> scenarios() {
    Arbitrary<List<String>> users =
        Arbitraries.strings()
            .alpha()
            .numeric()
            .withChars("@-_.")
            .ofMinLength(1)
            .ofMaxLength(64)
            .list()
            .ofMinSize(1)
            .ofMaxSize(6);
    return Combinators.combine(
            users,
            Arbitraries.longs().between(1, Long.MAX_VALUE),
            Arbitraries.integers().between(1, 4))
        .as(
            (ids, total, instances) -> {
              List<Request> requests = new ArrayList<>();
              ids.forEach(id -> requests.add(new Request(id, requests.size() % instances)));
              return new Scenario(1, total, instances, requests);
            });
  }

  private static Arbitrary<Token.Fault> faults() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 5),
            Arbitraries.integers().between(0, 30),
            Arbitraries.of(CommandFault.class))
        .as(Token.Fault::new);
  }

  private static Arbitrary<Token.At> steps() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 8),
            Arbitraries.of("START", "EVALSHA", "SELECT", "UPDATE", "COMMIT", "XADD"),
            Arbitraries.integers().between(0, 0xffff))
        .as(Token.At::new);
  }
}
