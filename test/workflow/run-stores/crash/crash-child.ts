import { writeSync } from 'node:fs';
import { crashRequest } from './crash-request.ts';
import { openStore } from './open-store.ts';

/** Far more than there is time for. */
const MOST = 100_000;

const [url = '', runId = '', first = '0'] = process.argv.slice(2);
const store = await openStore(url);
for (let index = Number(first); index < MOST; index += 1) {
  const result = await store.append(crashRequest(runId, index));
  if (!('ok' in result)) throw new Error(`request ${index}: ${JSON.stringify(result)}`);
  // At once, so that nothing is acknowledged that a buffer loses.
  writeSync(1, `${index}\n`);
}
