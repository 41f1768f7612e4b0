import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * One node of OpenSearch, for tests: java -cp 'lib/*' Node.java HOME SETTING=VALUE...
 *
 * It keeps its data below HOME, prints "started" and its address when it answers, and runs until
 * the process is ended or its standard input is closed, so that it doesn't outlive a test
 * that was killed.
 */
public class Node extends org.opensearch.node.Node {
  private Node(Settings settings, Path config) {
    super(
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), config, () -> "node"),
        List.<Class<? extends Plugin>>of(Netty4Plugin.class, ReindexPlugin.class),
        true);
  }

  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[0]);
    Path config = Files.createDirectories(home.resolve("config"));
    Settings.Builder settings = Settings.builder().put("path.home", home.toString());
    for (int i = 1; i < args.length; i++) {
      String[] setting = args[i].split("=", 2);
      settings.put(setting[0], setting[1]);
    }
    Node node = new Node(settings.build(), config);
    node.start();
    System.out.println("started " + node.injector().getInstance(HttpServerTransport.class).boundAddress().publishAddress());
    while (System.in.read() >= 0) {}
    node.close();
    System.exit(0);
  }
}
