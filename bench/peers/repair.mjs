// Serves the tools of repair-tools.mjs with the framework that the argument names
import 'reflect-metadata';
import { createServer } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { once } from 'node:events';
import { announce } from './announce.mjs';
import { TOOLS } from './repair-tools.mjs';

const INFO = { name: 'desk', version: '1.0.0' };

async function serveSdk1() {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
  const { createMcpExpressApp } = await import('@modelcontextprotocol/sdk/server/express.js');
  const { StreamableHTTPServerTransport } =
    await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  const app = createMcpExpressApp();
  app.post('/mcp', async (request, response) => {
    const server = new McpServer(INFO);
    for (const { name, description, schema, run } of TOOLS) {
      server.registerTool(name, { description, inputSchema: schema }, run);
    }
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport);
    await transport.handleRequest(request, response, request.body);
  });
  const listening = app.listen(0, '127.0.0.1', () => announce(listening.address().port));
}

async function serveSdk2() {
  const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server');
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  const handle = toNodeHandler(
    createMcpHandler(() => {
      const server = new McpServer(INFO);
      for (const { name, description, schema, run } of TOOLS) {
        server.registerTool(name, { description, inputSchema: schema }, run);
      }
      return server;
    }),
  );
  listen(createServer((request, response) => void handle(request, response)));
}

async function serveFastMcp() {
  const { FastMCP } = await import('fastmcp');
  const socket = createSocket().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  const server = new FastMCP(INFO);
  for (const { name, description, schema, run } of TOOLS) {
    server.addTool({ name, description, parameters: schema, execute: async (args) => run(args) });
  }
  await server.start({
    transportType: 'httpStream',
    httpStream: { port, host: '127.0.0.1', stateless: true },
  });
  announce(port);
}

async function serveMcpLite() {
  const { serve } = await import('@hono/node-server');
  const { Hono } = await import('hono');
  const { McpServer, StreamableHttpTransport } = await import('mcp-lite');
  const { z } = await import('zod');
  const server = new McpServer({ ...INFO, schemaAdapter: (schema) => z.toJSONSchema(schema) });
  for (const { name, description, schema, run } of TOOLS) {
    server.tool(name, { description, inputSchema: schema, handler: run });
  }
  const handle = new StreamableHttpTransport().bind(server);
  const app = new Hono();
  app.all('/mcp', (context) => handle(context.req.raw));
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => announce(port));
}

async function serveTmcp() {
  const { createRequestListener } = await import('@remix-run/node-fetch-server');
  const { ZodJsonSchemaAdapter } = await import('@tmcp/adapter-zod');
  const { HttpTransport } = await import('@tmcp/transport-http');
  const { McpServer } = await import('tmcp');
  const server = new McpServer(
    { ...INFO, description: 'Desk' },
    { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
  );
  for (const { name, description, schema, run } of TOOLS) {
    server.tool({ name, description, schema }, async (args) => run(args));
  }
  const transport = new HttpTransport(server, { path: '/mcp' });
  const respond = async (request) =>
    (await transport.respond(request)) ?? new Response(null, { status: 404 });
  listen(createServer(createRequestListener(respond)));
}

async function serveMcpNest() {
  const { Module } = await import('@nestjs/common');
  const { NestFactory } = await import('@nestjs/core');
  const { Payload } = await import('@nestjs/microservices');
  const { MCP_STRATEGY, McpController, McpStrategy, StreamableHttpTransport, Tool } =
    await import('@rekog/mcp-nest');
  class DeskController {}
  const { prototype } = DeskController;
  for (const { name, description, schema, run } of TOOLS) {
    Object.defineProperty(prototype, name, {
      value: (args) => run(args),
      writable: true,
      configurable: true,
    });
    Reflect.defineMetadata('design:paramtypes', [Object], prototype, name);
    Payload()(prototype, name, 0);
    const decorate = Tool({ name, description, parameters: schema });
    decorate(prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
  }
  McpController()(DeskController);
  const mcp = new McpStrategy({ ...INFO, transports: [new StreamableHttpTransport()] });
  class DeskModule {}
  const providers = [{ provide: MCP_STRATEGY, useValue: mcp }];
  Module({ controllers: [DeskController], providers })(DeskModule);
  const app = await NestFactory.create(DeskModule, { logger: ['error'] });
  mcp.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy: mcp });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  announce(app.getHttpServer().address().port);
}

function listen(server) {
  server.listen(0, '127.0.0.1', () => announce(server.address().port));
}

const SERVERS = {
  'sdk-v1': serveSdk1,
  'sdk-v2': serveSdk2,
  fastmcp: serveFastMcp,
  'mcp-nest': serveMcpNest,
  'mcp-lite': serveMcpLite,
  tmcp: serveTmcp,
};
await SERVERS[process.argv[2]]();
