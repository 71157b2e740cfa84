import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.nio.file.Path;

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
      Document answer = super.handleMessage(message).cloneDeeply();
      commit();
      return answer;
    }
  }
}
