/** A host in a page: the bridge of the official package between a client of the SDK and a view in a sandboxed frame. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  AppBridge,
  PostMessageTransport,
  RESOURCE_MIME_TYPE,
  getToolUiResourceUri,
} from '@modelcontextprotocol/ext-apps/app-bridge';

async function connect({ era, token }) {
  const capabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } } };
  const mode = era === '2025-11-25' ? 'legacy' : { pin: era };
  const client = new Client(
    { name: 'host', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode } },
  );
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', location.href), { requestInit: { headers } }),
  );
  return client;
}

/** Calls a tool, and shows its result in its view. */
async function openView(options) {
  const client = await connect(options);
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === options.tool);
  const uri = tool && getToolUiResourceUri(tool);
  if (uri === undefined) throw new Error(`${options.tool} has no view`);
  const [page] = (await client.readResource({ uri })).contents;
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  document.body.append(frame);
  const view = frame.contentWindow;

  const seen = [];
  const capabilities = { serverTools: {}, openLinks: {} };
  const bridge = new AppBridge(client, { name: 'host', version: '1.0.0' }, capabilities, {
    hostContext: { theme: 'light' },
  });
  bridge.addEventListener('sizechange', ({ height }) => {
    seen.push('size');
    frame.style.height = `${String(height)}px`;
  });
  const initialized = new Promise((resolve) => {
    bridge.addEventListener('initialized', () => {
      resolve();
    });
  });
  await bridge.connect(new PostMessageTransport(view, view));
  frame.srcdoc = page !== undefined && 'text' in page ? page.text : '';
  await initialized;
  seen.push('initialized');
  await bridge.sendToolInput({ arguments: {} });
  await bridge.sendToolResult(await client.callTool({ name: options.tool, arguments: {} }));
  return {
    seen,
    dress: (theme) => {
      bridge.setHostContext({ theme });
    },
    close: async () => {
      await bridge.teardownResource({});
      seen.push('torn down');
      frame.remove();
      await client.close();
    },
  };
}

Object.assign(globalThis, { openView });
