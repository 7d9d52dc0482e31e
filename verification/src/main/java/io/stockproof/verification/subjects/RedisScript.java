package io.stockproof.verification.subjects;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;

/** A script as RedisTemplate runs it: by digest, and by its text if the server does not know it. */
record RedisScript(RedisCommands<String, String> redis, String text, String digest) {

  RedisScript(RedisCommands<String, String> redis, String text) {
    this(redis, text, redis.digest(text));
  }

  long run(String[] keys, String... arguments) {
    try {
      return redis.<Long>evalsha(digest, ScriptOutputType.INTEGER, keys, arguments);
    } catch (RedisNoScriptException unknownToServer) {
      return redis.<Long>eval(text, ScriptOutputType.INTEGER, keys, arguments);
    }
  }
}
