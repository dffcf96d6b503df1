import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StrangerProject } from '../package/stranger-project.ts';
import { EXAMPLES } from '../support/example-process.ts';
import { LineProcess } from '../support/line-process.ts';
import type { Runtime } from './runtime.ts';

const AGENTS = fileURLToPath(new URL('./agents/', import.meta.url));

/** Libraries for agents that need Node 22, beside the packed package; gives how many checks there were. */
export async function checkAgents(project: StrangerProject, runtimes: readonly Runtime[]): Promise<string> {
  const node = runtimes.find(({ name, version }) => name === 'Node' && version.startsWith('22.'));
  if (node === undefined) throw new Error('There is no Node 22');
  const folder = join(project.directory, 'agents');
  await cp(AGENTS, folder, { recursive: true });
  await cp(join(EXAMPLES, 'agent-loop/model'), join(folder, 'model'), { recursive: true });
  await project.shell(
    'cd agents && npm ci --ignore-scripts --engine-strict=false --prefer-offline --loglevel=error',
  );
  await project.shell('npx --no-install tsc -p agents');
  const args = ['--import', 'toolwright/register', 'main.ts'];
  const agents = new LineProcess({ command: node.command, args, cwd: folder });
  if ((await agents.ended) !== 0) throw new Error(agents.output());
  return `${String(agents.stdout.filter((line) => line.startsWith('ok ')).length)} checks`;
}
