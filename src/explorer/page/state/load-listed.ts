import type { JsonObject } from '../../contract.ts';
import { connect } from './connection.ts';
import { listed, offerOf } from './listed.ts';

/** Asks for the lists as every client does: some entries are made when they are asked for. */
export async function loadListed(): Promise<void> {
  // A server that does not answer is said elsewhere
  const [prompts, resources] = await lists().catch((): Lists => [[], []]);
  listed.value = {
    prompts: prompts.map((entry) => offerOf(String(entry['name']), entry)),
    resources: resources.map((entry) => offerOf(String(entry['uri']), entry)),
  };
}

type Lists = readonly [readonly JsonObject[], readonly JsonObject[]];

async function lists(): Promise<Lists> {
  const client = await connect();
  const { capabilities } = client.server;
  const found = await Promise.all([
    'prompts' in capabilities ? client.listPrompts() : [],
    'resources' in capabilities ? client.listResources() : [],
  ]);
  return found as unknown as Lists;
}
