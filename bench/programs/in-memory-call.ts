import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { McpApplication } from 'toolwright';
import { EXPECTED, priceOrder, sampleOrder, TOOL } from '../order/sample-order.ts';
import { verifyPrice } from '../load/read-result.ts';
import { OrderModule } from '../servers/toolwright/order.module.ts';
import { orderSchema } from './order-schema.ts';
import { readArguments, sendResult } from './program.ts';
import { race, type RaceSettings } from './race.ts';
import { asynchronousSide, type Workload } from './time-box.ts';

type Connect = (transport: InMemoryTransport) => Promise<unknown>;

const priced = (price: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(price) }],
});

// oxlint-disable-next-line typescript/no-deprecated -- it is the layer below, and the limit
function doNothing(): Server {
  // oxlint-disable-next-line typescript/no-deprecated
  const server = new Server({ name: 'orders', version: '1.0.0' }, { capabilities: { tools: {} } });
  const result = priced(EXPECTED);
  server.setRequestHandler(CallToolRequestSchema, () => result);
  return server;
}

function highLevel(): McpServer {
  const server = new McpServer({ name: 'orders', version: '1.0.0' });
  server.registerTool(TOOL, { inputSchema: orderSchema }, (order) => priced(priceOrder(order)));
  return server;
}

async function callsOf(
  name: string,
  connect: Connect,
  order = sampleOrder(),
  verify = verifyPrice,
): Promise<Workload> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await Promise.all([connect(theirs), client.connect(ours)]);
  const call = { name: TOOL, arguments: order };
  verify(await client.callTool(call));
  return { name, run: () => client.callTool(call), batch: 50 };
}

/** The order with a misspelt field, which is looked at twice: as it came, and as it was meant. */
function misspeltOrder(): Record<string, unknown> {
  const { customer, ...others } = sampleOrder();
  return { ...others, custmer: customer };
}

/** @throws Error unless a call was refused */
function verifyRefused(result: Readonly<Record<string, unknown>>): void {
  if (result['isError'] !== true) throw new Error(`It answers ${JSON.stringify(result).slice(0, 300)}`);
}

const app = await McpApplication.create(OrderModule, { name: 'orders', version: '1.0.0' });
const workloads = [
  await callsOf('Server that does nothing', (transport) => doNothing().connect(transport)),
  await callsOf('toolwright', (transport) => app.connect(transport)),
  await callsOf('toolwright, refused', (transport) => app.connect(transport), misspeltOrder(), verifyRefused),
  await callsOf('McpServer', (transport) => highLevel().connect(transport)),
];
const settings = readArguments<RaceSettings>();
sendResult(
  await race(
    workloads.map((workload) => asynchronousSide(workload, settings.window)),
    ['Server that does nothing'],
    settings,
  ),
);
