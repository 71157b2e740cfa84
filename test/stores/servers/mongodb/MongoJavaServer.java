import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;

/** Runs mongo-java-server in the foreground. Arguments: data folder, port. */
public class MongoJavaServer {
  public static void main(String[] args) throws Exception {
    String file = Path.of(args[0]).resolve("data.mv").toString();
    MongoServer server = new MongoServer(new OneAtATime(file).version(ServerVersion.MONGO_5_0));
    server.bind("127.0.0.1", Integer.parseInt(args[1]));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
  }

  /**
   * Copies documents and commits before the answer is sent. The backend returns its live documents, which a concurrent
   * writer changes before serialization: two concurrent $inc returned the same number. A kill also lost answered writes.
   */
  private static class OneAtATime extends H2Backend {
    OneAtATime(String file) {
      super(file);
    }

    @Override
    public synchronized Document handleMessage(MongoMessage message) {
      replaceTexts(message.getDocument(), OneAtATime::toOrdered);
      Document answer = super.handleMessage(message).cloneDeeply();
      commit();
      replaceTexts(answer, OneAtATime::toUtf16);
      return answer;
    }

    /**
     * Replaces all texts in a document. MongoDB compares texts by code point, the backend by UTF-16 unit: it stores
     * surrogates above all other units.
     */
    private static Object replaceTexts(Object value, IntUnaryOperator unit) {
      if (value instanceof String text) {
        return text.chars().map(unit).collect(StringBuilder::new, (all, each) -> all.append((char) each),
            StringBuilder::append).toString();
      }
      if (value instanceof Document document) {
        document.entrySet().forEach(entry -> entry.setValue(replaceTexts(entry.getValue(), unit)));
      } else if (value instanceof List<?> list) {
        return list.stream().map(each -> replaceTexts(each, unit)).collect(Collectors.toList());
      }
      return value;
    }

    private static int toOrdered(int unit) {
      if (unit < 0xD800) return unit;
      return unit < 0xE000 ? unit + 0x2000 : unit - 0x800;
    }

    private static int toUtf16(int unit) {
      if (unit < 0xD800) return unit;
      return unit < 0xF800 ? unit + 0x800 : unit - 0x2000;
    }
  }
}
