import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { COMPILED } from '../folders.ts';
import { ServerProcess, type ServerProgram } from './server-process.ts';

const RECORDER = pathToFileURL(join(COMPILED, 'processes/record-packages.js')).href;

/** The packages that Toolwright has loaded when the program has done its work, in order, as addresses of files. */
export async function loadedPackages(
  program: Omit<ServerProgram, 'imports'>,
  work: (url: URL) => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const server = await ServerProcess.start({ ...program, imports: [RECORDER] });
  try {
    await work(server.url);
    const { packages } = (await server.ask('packages')) as { readonly packages: readonly string[] };
    return packages;
  } finally {
    await server.stop();
  }
}
