import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/** Runs one Elasticsearch node in the foreground. Arguments: home folder (with modules/), data folder, port. */
public class OneNode {
  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[0]);
    Path data = Path.of(args[1]);
    Settings settings = Settings.builder()
        .put("path.home", home)
        .put("path.data", data.resolve("data"))
        .put("path.logs", data.resolve("logs"))
        .put("cluster.name", "strata")
        .put("discovery.type", "single-node")
        .put("http.host", "127.0.0.1")
        .put("http.port", args[2])
        .put("transport.host", "127.0.0.1")
        .put("transport.port", "0")
        // Disabled, because a nearly full disk makes indexes read-only.
        .put("cluster.routing.allocation.disk.threshold_enabled", false)
        .build();
    LogConfigurator.configureESLogging();
    Environment environment = InternalSettingsPreparer.prepareEnvironment(
        settings, Map.of(), data.resolve("config"), () -> "one");
    LogConfigurator.configureWithoutConfig(settings);
    PluginsLoader plugins = PluginsLoader.createPluginsLoader(
        PluginsLoader.loadModulesBundles(environment.modulesDir()), Set.of(), Map.of());
    Node node = new Node(environment, plugins);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
    node.start();
    // The node's threads are daemon threads, which do not keep the JVM alive.
    Thread.currentThread().join();
  }

  private static void close(Node node) {
    try {
      node.close();
    } catch (Exception error) {
      error.printStackTrace();
    }
  }
}
