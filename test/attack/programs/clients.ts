import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { LineProcess } from '../../support/line-process.ts';
import { installNewerNode } from '../../toolchains/fresh-project.ts';
import type { AttackProgram, AttackRow } from '../attack.ts';

const run = promisify(execFile);
const HERE = fileURLToPath(new URL('..', import.meta.url));
const PINS = new URL('../../pins/clients.json', import.meta.url);

/** The clients of npm, each with the packages that it is made of. A new version that shows a model something else corrects a fact. */
const PACKAGES: Readonly<Record<string, string>> = {
  'sdk-client': '@modelcontextprotocol/client@2.4.0',
  'ai-sdk': '@ai-sdk/mcp@2.0.99',
  'openai-agents': '@openai/agents@0.20.0',
  langchain: '@langchain/mcp-adapters@1.1.4',
  mastra: '@mastra/mcp@2.0.0',
  inspector: '@modelcontextprotocol/inspector@2.12.0',
};

const ACTIONS = ['rows', 'text', 'table', 'picture', 'link', 'refusal', 'long'];
/** The tools of each surface. Where none is chosen, all of these clients get what the groups say. */
const SURFACES: Readonly<Record<string, readonly string[]>> = {
  // Those that get a form of their own are listed what reads long results, too
  '': ['shop'],
  '/grouped-by-risk': ['shop_read'],
  '/flat': ACTIONS.map((action) => `shop_${action}`),
  '/progressive': ['find_actions', 'read_action', 'call_action'],
};

/** What a model is shown of each action. */
type Shown = Readonly<Record<string, unknown>>;

/** On the surface that fits it, and on each that it chooses. */
type Pinned = Readonly<Partial<Record<'fitting' | 'chosen', Shown>>>;

interface Driven {
  readonly names: readonly string[];
  readonly shown: Shown;
}

export const clients: AttackProgram = {
  name: 'clients',
  measures: 'what clients of npm show a model on each surface, and where that is not what it was',
  run: async ({ build, progress }) => {
    const folder = await mkdtemp(join(tmpdir(), 'clients-'));
    const server = serve(build);
    try {
      const node = await installClients(folder);
      const url = await server.line('stdout', 'http');
      const pins = JSON.parse(await readFile(PINS, 'utf8')) as Record<string, Pinned>;
      const rows: AttackRow[] = [];
      for (const client of Object.keys(PACKAGES)) {
        const start = performance.now();
        const faults: string[] = [];
        for (const [path, names] of Object.entries(SURFACES)) {
          const driven = await drive({ node, folder }, client, `${url}${path}`);
          const kind = path === '' ? 'fitting' : 'chosen';
          if (process.env['TOOLWRIGHT_WRITE_PINS'] === '1')
            pins[client] = { ...pins[client], [kind]: driven.shown };
          const listed = path === '' && client === 'langchain' ? [...names, 'read_result'] : names;
          faults.push(...findFaults(path, driven, { names: listed, shown: pins[client]?.[kind] ?? {} }));
        }
        const fault = faults.length === 0 ? {} : { fault: faults.join('; ') };
        rows.push({ name: client, bytes: 0, milliseconds: performance.now() - start, ...fault });
        progress(`${client}: ${fault.fault ?? 'as it was'}`);
      }
      if (process.env['TOOLWRIGHT_WRITE_PINS'] === '1')
        await writeFile(PINS, JSON.stringify(pins, undefined, 2));
      return rows;
    } finally {
      server.kill('SIGTERM');
      await server.ended;
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function serve(build: string): LineProcess {
  return new LineProcess({
    cwd: HERE,
    args: [
      ...['--no-warnings', '--import', '@oxc-node/core/register', '--import', './redirect.mjs'],
      './clients/serve-clients.ts',
    ],
    env: { ATTACKED_PACKAGE: pathToFileURL(join(build, 'package.json')).href },
  });
}

/** @returns the program of a Node that all of them run on */
async function installClients(folder: string): Promise<string> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  await run('npm', ['install', ...quiet, '--prefix', folder, ...Object.values(PACKAGES)]);
  return installNewerNode(join(folder, 'node'));
}

async function drive(
  { node, folder }: { readonly node: string; readonly folder: string },
  client: string,
  url: string,
): Promise<Driven> {
  const program = join(HERE, 'clients/drive-clients.mjs');
  const { stdout } = await run(node, [program, client, url], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"'));
  const [first, ...others] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    names: first?.['names'] as readonly string[],
    shown: Object.fromEntries(others.map(({ action, shown }) => [String(action), shown])),
  };
}

function findFaults(path: string, driven: Driven, expected: Driven): readonly string[] {
  const place = path === '' ? 'the surface that it gets' : path;
  const listed = [driven, expected].map(({ names }) => names.join(', '));
  const others = ACTIONS.filter(
    (action) => JSON.stringify(driven.shown[action]) !== JSON.stringify(expected.shown[action]),
  );
  return [
    ...(listed[0] === listed[1] ? [] : [`${place} lists ${String(listed[0])}`]),
    ...others.map((action) => `${place}, ${action}: ${JSON.stringify(driven.shown[action])}`),
  ];
}
