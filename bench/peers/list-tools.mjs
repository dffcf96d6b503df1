/**
 * Offers the tools of a file in one framework, as its documentation shows it, and sends what `tools/list` answers to the
 * process that started it: `list-tools.mjs <framework> <file of { name, description, annotations, inputSchema, outputSchema }>`.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const [framework, file] = process.argv.slice(2);
const tools = JSON.parse(readFileSync(file, 'utf8')).map(({ inputSchema, outputSchema, ...tool }) => ({
  ...tool,
  schema: z.object(z.fromJSONSchema(inputSchema).shape),
  ...(outputSchema === undefined ? {} : { outputSchema: z.object(z.fromJSONSchema(outputSchema).shape) }),
}));
const info = { name: 'listed', version: '1.0.0' };
const nothing = async () => ({ content: [] });

/** By the name of the framework, something that answers a request over HTTP. */
const frameworks = {
  'SDK v1': async () => {
    const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
    const { WebStandardStreamableHTTPServerTransport } =
      await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js');
    const server = new McpServer(info);
    for (const { name, schema, ...tool } of tools)
      server.registerTool(name, { ...tool, inputSchema: schema }, nothing);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    return (request) => transport.handleRequest(request);
  },
  'SDK v2': async () => {
    const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server');
    const handler = createMcpHandler(() => {
      const server = new McpServer(info);
      for (const { name, schema, ...tool } of tools)
        server.registerTool(name, { ...tool, inputSchema: schema }, nothing);
      return server;
    });
    return (request) => handler.fetch(request);
  },
  fastmcp: async () => {
    const { FastMCP } = await import('fastmcp');
    const server = new FastMCP(info);
    for (const { schema, ...tool } of tools)
      server.addTool({ ...tool, parameters: schema, execute: nothing });
    const port = 20_000 + (process.pid % 20_000);
    const httpStream = { port, host: '127.0.0.1', stateless: true };
    await server.start({ transportType: 'httpStream', httpStream });
    return askAt(port);
  },
  '@rekog/mcp-nest': mountInNest,
  'mcp-lite': async () => {
    const { McpServer, StreamableHttpTransport } = await import('mcp-lite');
    const server = new McpServer({ ...info, schemaAdapter: (schema) => z.toJSONSchema(schema) });
    for (const { name, schema, ...tool } of tools)
      server.tool(name, { ...tool, inputSchema: schema, handler: nothing });
    return new StreamableHttpTransport().bind(server);
  },
  tmcp: async () => {
    const { McpServer } = await import('tmcp');
    const { ZodJsonSchemaAdapter } = await import('@tmcp/adapter-zod');
    const { HttpTransport } = await import('@tmcp/transport-http');
    const server = new McpServer(info, {
      adapter: new ZodJsonSchemaAdapter(),
      capabilities: { tools: {} },
    });
    for (const tool of tools) server.tool(tool, nothing);
    const transport = new HttpTransport(server, { path: '/mcp' });
    return (request) => transport.respond(request);
  },
};

/** A method for each tool, with what a compiler makes of its decorators. */
async function mountInNest() {
  await import('reflect-metadata');
  const { Module } = await import('@nestjs/common');
  const { NestFactory } = await import('@nestjs/core');
  const nest = await import('@rekog/mcp-nest');
  class ListedController {}
  const { prototype } = ListedController;
  for (const { schema, ...tool } of tools) {
    const { name } = tool;
    // Its decorators write their metadata on the function
    const value = () => nothing();
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
    Reflect.defineMetadata('design:paramtypes', [], prototype, name);
    const decorator = nest.Tool({ ...tool, parameters: schema });
    decorator(prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
  }
  nest.McpController()(ListedController);
  const transports = [new nest.StreamableHttpTransport()];
  const strategy = new nest.McpStrategy({ ...info, transports });
  class ListedModule {}
  const providers = [{ provide: nest.MCP_STRATEGY, useValue: strategy }];
  Module({ controllers: [ListedController], providers })(ListedModule);
  const app = await NestFactory.create(ListedModule, { logger: ['error'] });
  strategy.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  return askAt(app.getHttpServer().address().port);
}

function askAt(port) {
  return (request) => fetch(new Request(`http://127.0.0.1:${port}/mcp`, request));
}

const answer = await frameworks[framework]();
const listed = [];
let cursor;
do {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
  };
  const response = await answer(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }));
  const text = await response.text();
  const json = text.startsWith('{') ? text : /^data: (\{.*)$/m.exec(text)?.[1];
  if (json === undefined) throw new Error(`${framework} answers ${text.slice(0, 300)}`);
  const { result, error } = JSON.parse(json);
  if (result === undefined) throw new Error(`${framework} answers ${JSON.stringify(error)}`);
  listed.push(...result.tools);
  cursor = result.nextCursor;
} while (cursor !== undefined);
process.send?.(listed, () => process.exit(0));
