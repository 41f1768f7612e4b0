// What the official JavaScript client makes of the server over HTTP: it connects,
// lists, calls, fails, reads, and goes on with its session. A test of
// internal/mcpserver runs it:
//
//   SECTILE_TOKEN=TOKEN node dev/conformance/client.mjs http://127.0.0.1:8080/mcp
//
// The server's root holds guide.md with the sections "Install" and "Usage".
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const url = new URL(process.argv[2]);
const connect = async (token) => {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
  );
  return client;
};

await assert.rejects(connect("not-the-token-of-this-server"), { code: 401 });

const client = await connect(process.env.SECTILE_TOKEN);
assert.equal(client.getServerVersion().name, "sectile");
assert.match(client.getInstructions(), /session/);
assert.ok(client.getServerCapabilities().tools);

const { tools } = await client.listTools();
const read = tools.find((tool) => tool.name === "read_file");
assert.ok(read.inputSchema.properties.session, "read_file takes a session");
assert.ok(!tools.find((tool) => tool.name === "markdown_tree").inputSchema.properties.session);

const call = async (name, args) => {
  const result = await client.callTool({ name, arguments: args });
  assert.equal(result.content.length, 1);
  return { text: result.content[0].text, failed: result.isError === true, session: result._meta?.["sectile/session"] };
};

const first = await call("read_file", { path: "guide.md", heading: "Install", occurrence: 1 });
assert.ok(!first.failed, first.text);
assert.match(first.text, /^session: [a-z0-9]{16} /);
assert.match(first.text, /Run <it> & wait\./);
assert.ok(first.text.startsWith(`session: ${first.session} `));
const unread = (reply) => Number(/^(\d+) of \d+ sections? unread$/m.exec(reply.text)?.[1] ?? 0);

const second = await call("read_file", { path: "guide.md", heading: "Usage", session: first.session });
assert.ok(!second.text.startsWith("session:"), second.text);
assert.equal(unread(second), unread(first) - 1);

const failed = await call("read_file", { path: "guide.md", heading: "Nowhere" });
assert.ok(failed.failed);
assert.match(failed.text, /heading_not_found/);
await assert.rejects(client.callTool({ name: "nothing" }), /unknown tool/);

const tree = await call("markdown_tree", { file_path: "guide.md" });
assert.equal(JSON.parse(tree.text).format, "json");

const { contents } = await client.readResource({ uri: "doc:///guide.md#usage" });
assert.match(contents[0].text, /^## Usage\n/);
assert.equal((await client.listResourceTemplates()).resourceTemplates[0].uriTemplate, "doc:///{+path}");
const { messages } = await client.getPrompt({ name: "review_document", arguments: { file_path: "guide.md" } });
assert.match(messages[0].content.text, /guide\.md/);

await client.close();
console.log("all is well");
