package io.stockproof.reports.html;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.TemplateOutput;
import gg.jte.output.StringOutput;
import io.stockproof.reports.RunRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a run as a page. Stateless and safe for use by any number of threads. */
public final class HtmlReport {

  private static final String TEMPLATES = "io.stockproof.reports.html.templates";

  private HtmlReport() {}

  /**
   * Writes the page, replacing the file.
   *
   * @throws IOException if the file cannot be written
   */
  public static void write(RunRecord run, Path file) throws IOException {
    Files.writeString(file, render(run));
  }

  /** The page as HTML, to be kept in UTF-8; without passwords, whatever texts hold some. */
  public static String render(RunRecord run) {
    TemplateEngine engine =
        TemplateEngine.createPrecompiled(
            null, ContentType.Html, HtmlReport.class.getClassLoader(), TEMPLATES);
    TemplateOutput page = new StringOutput();
    Page shown = Page.of(run.asWritten(), resource("page.css"), resource("page.js"));
    engine.render("page.jte", shown, page);
    return page.toString();
  }

  private static String resource(String name) {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }
}
