package io.stockproof.reports;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.util.regex.Pattern;

/** Keeps passwords out of records: they come in with the messages of other people's exceptions. */
final class Secrets {

  private static final Pattern USER_INFO = Pattern.compile("://[^/\\s@]*@");
  private static final Pattern PARAMETER =
      Pattern.compile("(?i)\\b(password|passwd|pwd)=[^&;,\\s\"')]*");

  private Secrets() {}

  static String hide(String text) {
    return PARAMETER.matcher(USER_INFO.matcher(text).replaceAll("://…@")).replaceAll("$1=…");
  }

  /** Hides them in every text that is written as JSON. */
  static SimpleModule hidden() {
    return new SimpleModule().addSerializer(String.class, new Hiding());
  }

  private static final class Hiding extends StdScalarSerializer<String> {
    private static final long serialVersionUID = 1L;

    Hiding() {
      super(String.class);
    }

    @Override
    public void serialize(String text, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(hide(text));
    }
  }
}
