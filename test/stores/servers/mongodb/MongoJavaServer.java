import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.nio.file.Path;

/** mongo-java-server in the foreground: a folder for its data, and its port. */
public class MongoJavaServer {
  public static void main(String[] args) throws Exception {
    String file = Path.of(args[0]).resolve("data.mv").toString();
    MongoServer server = new MongoServer(new OneAtATime(file).version(ServerVersion.MONGO_5_0));
    server.bind("127.0.0.1", Integer.parseInt(args[1]));
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
  }

  /**
   * The backend answers with the documents it keeps, so that a reader sees what a writer changed before the answer
   * was sent: two $inc at once gave one number twice. MongoDB does not, and its answered writes outlive a kill.
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
