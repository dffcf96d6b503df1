import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StrangerProject } from '../package/stranger-project.ts';
import { addressOf, EXAMPLES } from '../support/example-process.ts';
import { LineProcess } from '../support/line-process.ts';
import { converse } from './conversation.ts';
import { fileOf, PROGRAMS, type ProgramName } from './project.ts';
import { labelOf, type Runtime } from './runtime.ts';

const LOADER = fileURLToPath(import.meta.resolve('@oxc-node/core/register'));

export const FORMS = ['compiled', 'source'] as const;
export const TRANSPORTS = ['HTTP', 'stdio'] as const;

/** One way to run a server. */
export interface Way {
  readonly runtime: Runtime;
  readonly form: (typeof FORMS)[number];
  readonly transport: (typeof TRANSPORTS)[number];
}

/** Every way that a runtime has. */
export function waysOf(runtime: Runtime): readonly Way[] {
  return FORMS.filter((form) => form === 'compiled' || runtime.runsSources).flatMap((form) =>
    TRANSPORTS.map((transport) => ({ runtime, form, transport })),
  );
}

export function describeWay({ runtime, form, transport }: Way): string {
  return `${labelOf(runtime)}, ${form}, ${transport}`;
}

/** Runs all programs in one way; each is called by its client, which runs in the Node of this process. */
export async function runServers(project: StrangerProject, way: Way): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-runtimes-'));
  try {
    for (const program of PROGRAMS) await runServer(project, program, way, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runServer(
  { directory: cwd }: StrangerProject,
  program: ProgramName,
  { runtime: { command, args }, form, transport }: Way,
  folder: string,
): Promise<void> {
  const file = join(cwd, fileOf(program, form));
  const env = { PORT: '0', TASK_BOARD_FILE: join(folder, `${transport}.db`) };
  if (transport === 'stdio') {
    const started = [...args, file, '--stdio'];
    if (program === 'trips') return converse({ command, args: started, cwd }, { asks2025: true });
    return runClient(program, [command, ...started], cwd, env);
  }
  const server = new LineProcess({ command, args: [...args, file], cwd, env });
  try {
    const url = await addressOf(server);
    await (program === 'trips' ? converse({ url }, { asks2025: true }) : runClient(program, [url], cwd, env));
  } catch (error) {
    throw new Error(`${program} said:\n${server.output()}`, { cause: error });
  } finally {
    server.kill('SIGTERM');
    await server.ended;
  }
  if (server.stderr.length > 0) throw new Error(`${program} complains:\n${server.stderr.join('\n')}`);
}

/** The client of an example checks the answers itself. */
async function runClient(
  program: ProgramName,
  server: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const file = join(EXAMPLES, program, 'client.ts');
  const client = new LineProcess({ args: ['--import', LOADER, file, ...server], cwd, env });
  const code = await client.ended;
  if (code !== 0) throw new Error(`The client of ${program} ended with ${String(code)}:\n${client.output()}`);
}
