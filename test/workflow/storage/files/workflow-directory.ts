import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from '@jest/globals';

const made: string[] = [];

afterAll(async () => {
  await Promise.all(made.map((path) => rm(path, { recursive: true, force: true })));
});

/** A directory of its own, which is gone after the tests of the file. */
export async function makeDirectory(files: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'workflows-')));
  made.push(directory);
  for (const [path, content] of Object.entries(files)) await put(directory, path, content);
  return directory;
}

/** Text and bytes as they are, everything else as JSON. */
export async function put(directory: string, path: string, content: unknown): Promise<string> {
  const target = join(directory, path);
  await mkdir(dirname(target), { recursive: true });
  const isRaw = typeof content === 'string' || content instanceof Uint8Array;
  await writeFile(target, isRaw ? content : JSON.stringify(content));
  return target;
}
