import { installProgram } from '../support/installed-package.ts';
import { BUN_VERSION, DENO_VERSION, NODE_VERSIONS } from './versions.ts';

/** Something that runs a file. */
export interface Runtime {
  readonly name: 'Node' | 'Bun' | 'Deno';
  readonly version: string;
  readonly command: string;
  /** What comes before the file. */
  readonly args: readonly string[];
  /** Whether it runs TypeScript with decorators by itself. */
  readonly runsSources: boolean;
}

/** All runtimes that run servers of their own, installed for the check only. */
export async function installRuntimes(): Promise<readonly Runtime[]> {
  const runtimes: Runtime[] = [];
  for (const version of NODE_VERSIONS) {
    const command = await installProgram('node', version);
    runtimes.push({ name: 'Node', version, command, args: [], runsSources: false });
  }
  const bun = await installProgram('bun', BUN_VERSION);
  runtimes.push({ name: 'Bun', version: BUN_VERSION, command: bun, args: [], runsSources: true });
  const deno = await installProgram('deno', DENO_VERSION);
  const args = ['run', '--allow-all', '--no-prompt'];
  runtimes.push({ name: 'Deno', version: DENO_VERSION, command: deno, args, runsSources: true });
  return runtimes;
}

export function labelOf({ name, version }: Pick<Runtime, 'name' | 'version'>): string {
  return `${name} ${version}`;
}
