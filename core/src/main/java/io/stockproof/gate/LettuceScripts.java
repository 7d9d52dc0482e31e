package io.stockproof.gate;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Lettuce, standalone and cluster alike. */
final class LettuceScripts implements RedisScripts {

  private final StatefulConnection<String, String> connection;
  private final RedisScriptingAsyncCommands<String, String> commands;

  LettuceScripts(
      StatefulConnection<String, String> connection,
      RedisScriptingAsyncCommands<String, String> commands) {
    this.connection = connection;
    this.commands = commands;
  }

  @Override
  public CompletableFuture<List<String>> eval(Script script, List<String> keys, List<String> args) {
    Evaluation evaluation =
        new Evaluation(script, keys.toArray(String[]::new), args.toArray(String[]::new));
    evaluation.send(true);
    return evaluation;
  }

  /** All are on their way before the first is answered: one trip. */
  @Override
  public CompletableFuture<Void> load(List<Script> scripts) {
    try {
      return CompletableFuture.allOf(
          scripts.stream()
              .map(script -> commands.scriptLoad(script.text()).toCompletableFuture())
              .toArray(CompletableFuture<?>[]::new));
    } catch (RedisException e) {
      return CompletableFuture.failedFuture(new GateException("nothing was loaded", true, e));
    }
  }

  @Override
  public void close() {
    connection.close();
  }

  /** One script on its way; sent a second time, by text, if the server does not know it. */
  private final class Evaluation extends CompletableFuture<List<String>> {
    private final Script script;
    private final String[] keys;
    private final String[] args;
    private @Nullable RedisFuture<List<Object>> sent;

    Evaluation(Script script, String[] keys, String[] args) {
      this.script = script;
      this.keys = keys;
      this.args = args;
    }

    /**
     * Synchronized with {@link #cancel}: after a caller gave up and sent a release, the acquire
     * must not follow it.
     */
    synchronized void send(boolean byDigest) {
      if (isDone()) {
        return;
      }
      try {
        RedisFuture<List<Object>> reply =
            byDigest
                ? commands.evalsha(script.digest(), ScriptOutputType.MULTI, keys, args)
                : commands.eval(script.text(), ScriptOutputType.MULTI, keys, args);
        sent = reply;
        var unused = reply.whenComplete((answer, error) -> receive(byDigest, answer, error));
      } catch (RedisException e) {
        // Not accepted by the client: a closed connection or a full queue.
        completeExceptionally(new GateException(script.name() + " was not sent", true, e));
      }
    }

    private void receive(
        boolean byDigest, @Nullable List<Object> answer, @Nullable Throwable error) {
      if (error instanceof RedisNoScriptException && byDigest) {
        send(false);
      } else if (error != null) {
        boolean refused = error instanceof RedisCommandExecutionException;
        completeExceptionally(
            new GateException(script.name() + " failed: " + error.getMessage(), refused, error));
      } else if (answer == null || answer.isEmpty()) {
        // A connection in MULTI answers so (G28); it is not a decision.
        completeExceptionally(new GateException(script.name() + " gave no answer", false, null));
      } else {
        complete(answer.stream().map(String::valueOf).toList());
      }
    }

    @Override
    public synchronized boolean cancel(boolean mayInterruptIfRunning) {
      RedisFuture<List<Object>> reply = sent;
      boolean cancelled = super.cancel(mayInterruptIfRunning);
      if (reply != null) {
        // Still in the client's buffer, it is dropped there.
        reply.cancel(false);
      }
      return cancelled;
    }
  }
}
