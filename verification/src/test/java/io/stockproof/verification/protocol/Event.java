package io.stockproof.verification.protocol;

import org.jspecify.annotations.Nullable;

/**
 * One step of somebody.
 *
 * @param who takes it
 * @param number of the request or rebuild
 * @param what is done: a script, a statement, or something that happens
 * @param fate {@code null} if it went well
 * @param answer of the store
 */
record Event(Who who, int number, String what, @Nullable Fault fate, Answer answer) {

  enum Who {
    REQUEST,
    REBUILD,
    RECONCILER,
    OPENER,
    /** Something on its way arrives, or time passes. */
    WORLD
  }

  @Override
  public String toString() {
    String name =
        switch (who) {
          case REQUEST -> "request " + (char) ('A' + number);
          case REBUILD -> "rebuild " + (number + 1);
          case RECONCILER -> "reconciler";
          case OPENER -> "opener";
          case WORLD -> "world";
        };
    String fault = fate == null ? "" : "  ✗ " + fate;
    String told =
        answer.word() == Answer.Word.NONE
            ? ""
            : " → " + answer.word() + (answer.number() < 0 ? "" : " " + answer.number());
    return "%-11s %s%s%s".formatted(name, what, told, fault);
  }
}
