import { fork } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PEERS } from '../folders.ts';
import { serverEnvironment } from '../processes/server-process.ts';

/** What each peer lists when it offers the same tools. @throws Error with what a peer said that failed */
export async function listInPeer(peer: string, tools: readonly object[]): Promise<readonly object[]> {
  const file = join(await mkdtemp(join(tmpdir(), 'tools-')), 'tools.json');
  await writeFile(file, JSON.stringify(tools));
  const child = fork(join(PEERS, 'list-tools.mjs'), [peer, file], { silent: true, env: serverEnvironment() });
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('message', (listed) => resolve(listed as readonly object[]));
    child.once('exit', () => reject(new Error(`${peer} lists nothing: ${output.slice(0, 500)}`)));
  });
}
