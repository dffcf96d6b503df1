/**
 * Drives clients of npm against a server, as a program would that hands tools to a model. It runs in a folder in which they
 * are installed: `node drive-clients.mjs NAME URL`. It prints the names of the tools, and for each action what a model
 * would be shown of its result, as a line of JSON.
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const [name, url] = process.argv.slice(2);
const require = createRequire(join(process.cwd(), 'package.json'));
const load = (specifier) => import(pathToFileURL(require.resolve(specifier)).href);

/** For each client: how it is opened, with the names of its tools and what calls them. */
const CLIENTS = {
  'sdk-client': async () => {
    const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');
    const client = new Client({ name: 'sdk-client', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const { tools } = await client.listTools();
    return {
      names: tools.map((tool) => tool.name),
      call: (tool, args) => client.callTool({ name: tool, arguments: args }),
      close: () => client.close(),
    };
  },
  'ai-sdk': async () => {
    const { createMCPClient } = await load('@ai-sdk/mcp');
    const client = await createMCPClient({ transport: { type: 'http', url } });
    const tools = await client.tools();
    return {
      names: Object.keys(tools),
      call: async (tool, args) => {
        const output = await tools[tool].execute(args, { toolCallId: '1', messages: [] });
        return (await tools[tool].toModelOutput?.({ toolCallId: '1', input: args, output })) ?? output;
      },
      close: () => client.close(),
    };
  },
  'openai-agents': async () => {
    const { MCPServerStreamableHttp } = await load('@openai/agents');
    const server = new MCPServerStreamableHttp({ url, name: 'shop' });
    await server.connect();
    const tools = await server.listTools();
    return {
      names: tools.map((tool) => tool.name),
      call: (tool, args) => server.callTool(tool, args),
      close: () => server.close(),
    };
  },
  langchain: async () => {
    const { MultiServerMCPClient } = await load('@langchain/mcp-adapters');
    const client = new MultiServerMCPClient({ mcpServers: { shop: { transport: 'http', url } } });
    const tools = await client.getTools();
    return {
      names: tools.map((tool) => tool.name),
      call: async (tool, args) => {
        const found = tools.find((each) => each.name === tool);
        const { content } = await found.invoke({ type: 'tool_call', id: '1', name: tool, args });
        return content;
      },
      close: () => client.close(),
    };
  },
  mastra: async () => {
    const { MCPClient } = await load('@mastra/mcp');
    const client = new MCPClient({ servers: { shop: { url: new URL(url) } } });
    const tools = await client.listTools();
    const entries = Object.entries(tools).map(([key, tool]) => [key.replace(/^shop_/, ''), tool]);
    return {
      names: entries.map(([key]) => key),
      call: (tool, args) => Object.fromEntries(entries)[tool].execute(args, {}),
      close: () => client.disconnect(),
    };
  },
  inspector: async () => {
    const program = join(process.cwd(), 'node_modules/.bin/mcp-inspector');
    const run = async (...args) => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        ...[program, '--cli', url, '--transport', 'http', '--method'],
        ...args,
      ]);
      return JSON.parse(stdout);
    };
    const { tools } = await run('tools/list');
    return {
      names: tools.map((tool) => tool.name),
      call: (tool, args) =>
        run(
          'tools/call',
          '--tool-name',
          tool,
          ...Object.entries(args).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]),
        ),
      close: async () => {},
    };
  },
};

/** What is long is said by its length. */
function shorten(value) {
  if (typeof value === 'string') {
    if (/^[{[]/.test(value)) {
      try {
        return { json: shorten(JSON.parse(value)) };
      } catch {
        // A text that only looks like JSON
      }
    }
    const text = value
      .replace(/toolwright:\/\/results\/[\w.-]+/g, 'toolwright://results/ID')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/'shop_\w+'|'read_action'|'shop'/, 'TOOL');
    return text.length > 400 ? `${text.slice(0, 21)}… (${text.length > 100_000 ? 'whole' : 'cut'})` : text;
  }
  if (Array.isArray(value))
    return value.length > 5 ? [...value.slice(0, 1).map(shorten), '…'] : value.map(shorten);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shorten(each)]));
}

/** The tool that runs an action, whichever surface it is on. */
function findCall(action) {
  const has = (tool) => client.names.includes(tool);
  if (has(`shop_${action}`)) return [`shop_${action}`, {}];
  const grouped = ['shop', 'shop_read'].find(has);
  return grouped === undefined ? ['read_action', { action: `shop.${action}` }] : [grouped, { action }];
}

const client = await CLIENTS[name]();
console.log(JSON.stringify({ names: client.names }));
for (const action of ['rows', 'text', 'table', 'picture', 'link', 'refusal', 'long']) {
  const [tool, args] = findCall(action);
  let shown;
  try {
    shown = shorten(await client.call(tool, args));
  } catch (error) {
    shown = { thrown: shorten(String(error?.stderr ?? error?.message ?? error).trim()) };
  }
  console.log(JSON.stringify({ action, shown }));
}
await client.close();
process.exit(0);
