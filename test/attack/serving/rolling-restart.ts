import { setTimeout as after } from 'node:timers/promises';
import { StreamableHTTPClientTransport as TransportOfVersion2 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { connectVersion1 } from '../../support/connections/client-of-version-1.ts';
import { connectVersion2 } from '../../support/connections/client-of-version-2.ts';
import type { FeatureClient } from '../../support/connections/feature-client.ts';
import { roundRobin } from '../../support/round-robin.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';
import type { Target } from '../attack.ts';
import { RestartedProcess } from './restarted-process.ts';

/** What became of the calls of all clients while replicas were restarted one after the other. */
export interface RollingRestart {
  readonly calls: number;
  /** What went wrong, with how often. */
  readonly failures: Readonly<Record<string, number>>;
  /** The exit codes of replicas that were not 0. */
  readonly unclean: readonly (number | string)[];
  /** Of a call, in milliseconds. */
  readonly longest: number;
}

const REPLICAS = 3;
const CLIENTS_PER_ERA = 3;
const DRAIN_DELAY = 1000;

/**
 * Restarts one replica after the other, each when the one before is ready again.
 * @param signal SIGKILL leaves no time for anything, and calls are lost: their clients notice
 */
export async function restartInTurn(
  restarts: number,
  { serve, progress }: Pick<Target, 'serve' | 'progress'>,
  signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
): Promise<RollingRestart> {
  await using redis = await OwnRedis.start();
  const environment = { REPLICA_STORE: redis.url, REPLICA_DRAIN: String(DRAIN_DELAY) };
  const replicas = await Promise.all(
    Array.from({ length: REPLICAS }, () => RestartedProcess.start(() => serve('replica', { environment }))),
  );
  const proxy = await roundRobin(replicas);
  const clients = await Promise.all(
    Array.from({ length: 2 * CLIENTS_PER_ERA }, (_, index) => connect(proxy.url, index)),
  );
  const outcome = new Outcome();
  const unclean: (number | string)[] = [];
  try {
    const working = clients.map((client, index) => outcome.workWith(client, `client-${String(index)}`));
    for (let count = 0; count < restarts; count += 1) {
      const replica = replicas[count % REPLICAS] as RestartedProcess;
      const code = await replica.restart(signal);
      if (code !== 0 && signal === 'SIGTERM') unclean.push(code);
      progress(`${String(count + 1)} of ${String(restarts)} restarts, ${String(outcome.calls)} calls`);
    }
    outcome.isOver = true;
    await Promise.all(working);
    const { calls, longest } = outcome;
    return { calls, longest, unclean, failures: Object.fromEntries(outcome.failures) };
  } finally {
    outcome.isOver = true;
    await Promise.allSettled(clients.map((client) => client.close()));
    await proxy.close();
    await Promise.all(replicas.map((replica) => replica.close()));
  }
}

function connect(url: string, index: number): Promise<FeatureClient> {
  const onElicitation = async () => {
    await after(Math.random() * 20);
    return { action: 'accept', content: { word: 'yes' } };
  };
  const address = new URL(url);
  return index % 2 === 0
    ? connectVersion1(new StreamableHTTPClientTransport(address), { onElicitation })
    : connectVersion2(new TransportOfVersion2(address), '2026', { onElicitation });
}

class Outcome {
  calls = 0;
  longest = 0;
  isOver = false;
  readonly failures = new Map<string, number>();

  /** Calls one after the other, every third with a question. */
  async workWith(client: FeatureClient, name: string): Promise<void> {
    for (let count = 0; !this.isOver; count += 1) {
      const label = `${name}-${String(count)}`;
      const asks = count % 3 === 0;
      const begun = performance.now();
      const args = { label, milliseconds: Math.floor(Math.random() * 100) };
      const text = await client.callTool({ name: asks ? 'jobs_ask' : 'jobs_work', arguments: args }).then(
        ({ content }) => (content as readonly { readonly text?: string }[])[0]?.text ?? '',
        (error: unknown) => String(error),
      );
      this.longest = Math.max(this.longest, performance.now() - begun);
      this.calls += 1;
      const wanted = asks ? `did ${label} with yes` : `did ${label}`;
      if (text !== wanted) this.#fail(text.replaceAll(/\d+/gu, '#').slice(0, 160));
    }
  }

  #fail(what: string): void {
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
  }
}
