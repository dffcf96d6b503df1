import { randomUUID } from 'node:crypto';
import { describe, test } from '@jest/globals';
import {
  busConformance,
  eventStoreConformance,
  resultStoreConformance,
  slotStoreConformance,
  idempotencyStoreConformance,
  limitArithmeticConformance,
  limitStoreConformance,
  onceStoreConformance,
  sessionRecordStoreConformance,
  storeConformance,
  taskStoreConformance,
  type ConformanceCase,
} from 'toolwright/testing';
import { usePostgresSchema, type Ports } from '../../support/postgres-backplane.ts';

const database = usePostgresSchema();

/** A port of one application, as two of its instances reach it, with a clock that stands still. */
function make<Name extends keyof Ports>(name: Name) {
  return async () => {
    const app = randomUUID();
    const { ports, now, pass } = await database.openTimed(app);
    const second = async () => (await database.open(app))[name];
    return { port: ports[name], second, clock: { now, pass }, dispose: () => database.closePorts() };
  };
}

const KITS: readonly (readonly [name: string, cases: readonly ConformanceCase[]])[] = [
  ['values under keys', storeConformance(make('store'))],
  ['answers', onceStoreConformance(make('once'))],
  ['idempotent calls', idempotencyStoreConformance(make('idempotency'))],
  ['sessions', sessionRecordStoreConformance(make('sessions'))],
  ['the bus', busConformance(make('bus'))],
  ['results', resultStoreConformance(make('results'))],
  ['events', eventStoreConformance(make('events'))],
  ['tasks', taskStoreConformance(make('tasks'))],
  ['slots', slotStoreConformance(make('slots'))],
  ['limits', limitStoreConformance(make('limits'))],
  ['the arithmetic of limits', limitArithmeticConformance(make('limits'))],
];

describe.each(KITS)('in PostgreSQL: %s', (_name, cases) => {
  for (const { name, run } of cases) test(name, run);
});
