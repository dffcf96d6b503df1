import { describe, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  busConformance,
  limitStoreConformance,
  storeConformance,
  taskStoreConformance,
  type ConformanceCase,
  type MakePort,
} from 'toolwright/testing';
import { CLIENTS, openRedis, type RedisPorts } from '../../support/redis-ports.ts';
import { useRedis } from '../../support/services/use-services.ts';

const redis = useRedis();

describe.each(Object.entries(CLIENTS))('over %s', (_library, clientFor) => {
  /** Two instances of an application of its own for each case. */
  function port<Name extends keyof RedisPorts>(name: Name): MakePort<RedisPorts[Name]> {
    return async () => {
      const application = { name: `case ${randomUUID()}` };
      const opened = [
        await openRedis(clientFor(redis.url), application),
        await openRedis(clientFor(redis.url), application),
      ] as const;
      return {
        port: opened[0].ports[name],
        second: () => opened[1].ports[name],
        dispose: () => Promise.all(opened.map(({ ports }) => ports.close())),
      };
    };
  }

  const kits: readonly (readonly [string, () => readonly ConformanceCase[]])[] = [
    ['bus', () => busConformance(port('bus'))],
    ['the store', () => storeConformance(port('store'))],
    ['tasks', () => taskStoreConformance(port('tasks'))],
    ['limits', () => limitStoreConformance(port('counter'))],
  ];

  describe.each(kits)('%s', (_name, cases) => {
    for (const { name, run } of cases()) test(name, run);
  });
});
