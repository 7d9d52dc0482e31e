package io.stockproof.chaos;

import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.explore.CommandFault;
import io.stockproof.verification.wire.Command;
import io.stockproof.verification.wire.LateCommand;
import io.stockproof.verification.wire.WireError;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A fault of the search, at every fifth command on average that it can happen at, of every
 * instance.
 *
 * @param fault what happens to each of them
 */
public record AtCommands(CommandFault fault) implements Fault {
  private static final int ONE_IN = 5;

  @Override
  public About about() {
    return About.of(
        fault.title(), familyOf(fault), 2, "at one in " + ONE_IN + " commands: " + fault.meaning());
  }

  private static FaultFamily familyOf(CommandFault fault) {
    return switch (fault) {
      case LOST_BEFORE, REPLY_LOST, LATE -> FaultFamily.UNKNOWN_OUTCOME;
      case KEY_EXPIRY, FIRST_KEY_EXPIRY, LAST_KEY_EXPIRY -> FaultFamily.TTL_EXPIRY;
      case ERROR_1213, ERROR_1205, ERROR_1020, ERROR_1290 -> FaultFamily.DB_FAILURE;
      default -> FaultFamily.REDIS_LOSS;
    };
  }

  @Override
  public boolean losesRedisData() {
    return family() == FaultFamily.TTL_EXPIRY;
  }

  @Override
  public Undo begin(Target target, Duration lasts) {
    Product product = target.environment().database().product();
    Random random = new Random(target.seed());
    HeldCommands<LateCommand> late = new HeldCommands<>();
    target
        .meddler()
        .meddle(
            command ->
                fault.appliesTo(command, product)
                    && random.nextInt(ONE_IN) == 0
                    && strikes(target, command, late));
    return () -> {
      target.meddler().stop();
      for (LateCommand command : late.release()) {
        var unused = command.deliver();
      }
    };
  }

  private boolean strikes(Target target, Command command, HeldCommands<LateCommand> late) {
    WireError error = fault.error();
    if (error != null) {
      command.answer(error);
      return true;
    }
    return switch (fault) {
      case LOST_BEFORE -> {
        command.cutBefore();
        yield true;
      }
      case REPLY_LOST -> {
        command.loseReply();
        yield true;
      }
      case LATE -> {
        LateCommand coming = command.giveUp();
        if (!late.hold(coming)) {
          var unused = coming.deliver();
        }
        yield true;
      }
      default -> {
        expire(target, command);
        yield false;
      }
    };
  }

  private void expire(Target target, Command command) {
    List<String> gone = fault.expiring(command.keys());
    target.redis().with(redis -> redis.del(gone.toArray(String[]::new)));
    target.lost(gone);
  }
}
