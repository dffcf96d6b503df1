import { createTool, McpApplication, Module, type ApplicationOptions } from 'toolwright';
import { readArguments, sendResult } from './program.ts';
import { race, type RaceSettings } from './race.ts';
import { asynchronousSide, type Workload } from './time-box.ts';

@Module({})
class Nothing {}

const REVISION = '2026-07-28';
const VERBS = ['find', 'get', 'list', 'count', 'create', 'update', 'assign', 'merge', 'cancel', 'remove'];

/** 300 actions in 30 groups: four of ten only read, and one destroys. */
function buildTools() {
  return Array.from({ length: 30 }, (_, place) => {
    const tool = createTool(`area${place}`, { describe: 'signatures' });
    tool.description(`All of area ${place}`);
    for (const [index, verb] of VERBS.entries())
      tool.action({
        name: verb,
        description: `${verb} one of the area, with all that belongs to it`,
        ...{ readOnly: index < 4, destructive: verb === 'remove' },
        input: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Its number' },
            [`${verb}Comment`]: { type: 'string', description: 'What to say of it' },
          },
        },
        handler: () => 'done',
      });
    return tool;
  });
}

async function open(surface?: ApplicationOptions['surface']): Promise<McpApplication> {
  const app = await McpApplication.create(Nothing, {
    ...{ name: 'large', version: '1.0.0' },
    ...(surface === undefined ? {} : { surface }),
  });
  app.registry.registerAll(...buildTools());
  return app;
}

/** A request of a client that is known, with facts about some of its versions, which each application answers as a whole. */
function asking(
  method: 'tools/list' | 'tools/call',
  { name, path = '' }: { readonly name?: string; readonly path?: string } = {},
): () => Request {
  const params = {
    ...(name === undefined ? {} : { name, arguments: { action: 'find', id: '7' } }),
    _meta: {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientInfo': { name: 'cursor-vscode', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    ...{ 'mcp-protocol-version': REVISION, 'mcp-method': method },
    ...(name === undefined ? {} : { 'mcp-name': name }),
  };
  return () => new Request(`http://localhost/mcp${path}`, { method: 'POST', headers, body });
}

async function workloadOf(
  name: string,
  app: McpApplication,
  ask: () => Request,
  mark: string,
): Promise<Workload> {
  const run = async (): Promise<ArrayBuffer> => (await app.fetch(ask())).arrayBuffer();
  const text = new TextDecoder().decode(await run());
  if (!text.includes(mark)) throw new Error(`${name} answers ${text.slice(0, 500)}`);
  return { name, run, batch: 5 };
}

/** Bytes of the heap that the first list on a surface keeps. */
async function heapPerSurface(app: McpApplication): Promise<Readonly<Record<string, number>>> {
  const settled = (): number => {
    for (let passes = 0; passes < 3; passes += 1) globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const kept: Record<string, number> = {};
  for (const surface of ['own', 'grouped', 'grouped-by-risk', 'flat', 'progressive']) {
    const before = settled();
    await (await app.fetch(asking('tools/list', { path: `?surface=${surface}` })())).arrayBuffer();
    kept[surface] = settled() - before;
  }
  return kept;
}

const [declared, grouped, plain, auto] = [
  await open(),
  await open('grouped'),
  await open(),
  await open('auto'),
];
const heap = await heapPerSurface(await open({ use: 'own' }));
const settings = readArguments<RaceSettings>();
const workloads = [
  await workloadOf('list, as declared', declared, asking('tools/list'), 'area29'),
  await workloadOf('list, the same as a surface', grouped, asking('tools/list'), 'area29'),
  await workloadOf('call, without the option', plain, asking('tools/call', { name: 'area0' }), 'done'),
  await workloadOf('call, surface: auto', auto, asking('tools/call', { name: 'area0_read' }), 'done'),
];
const sides = workloads.map((workload) => asynchronousSide(workload, settings.window));
sendResult({ heap, lists: await race(sides, [], settings) });
