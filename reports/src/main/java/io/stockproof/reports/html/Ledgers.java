package io.stockproof.reports.html;

import io.stockproof.verification.explore.Drawing;
import io.stockproof.verification.explore.Drawing.Books;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The columns of the books that a subject keeps at all. */
record Ledgers(List<Column> columns) {

  /**
   * A column.
   *
   * @param title in a word or two
   * @param value of it; null if there is none at the moment
   */
  record Column(String title, Function<Books, @Nullable Long> value) {
    String text(Books books) {
      Long number = value.apply(books);
      return number == null ? "–" : number.toString();
    }
  }

  static Ledgers of(Drawing drawing) {
    List<Books> all =
        Stream.concat(
                Stream.of(drawing.before(), drawing.atRest()),
                drawing.marks().stream().map(Drawing.Mark::books))
            .filter(books -> books != null)
            .toList();
    List<Column> columns = new ArrayList<>();
    if (all.stream().anyMatch(books -> books.gateStock() != null || books.gateUsers() > 0)) {
      columns.add(new Column("gate stock", Books::gateStock));
      columns.add(new Column("gate users", books -> (long) books.gateUsers()));
    }
    columns.add(new Column("rows", Books::rows));
    if (all.stream().anyMatch(books -> books.counter() != null)) {
      columns.add(new Column("counter", Books::counter));
    }
    return new Ledgers(columns);
  }
}
