import { randomUUID } from 'node:crypto';
import { describe, test } from '@jest/globals';
import {
  busConformance,
  eventStoreConformance,
  slotStoreConformance,
  limitArithmeticConformance,
  limitStoreConformance,
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
  ['the bus', busConformance(make('bus'))],
  ['events', eventStoreConformance(make('events'))],
  ['tasks', taskStoreConformance(make('tasks'))],
  ['slots', slotStoreConformance(make('slots'))],
  ['limits', limitStoreConformance(make('counter'))],
  ['the arithmetic of limits', limitArithmeticConformance(make('counter'))],
];

describe.each(KITS)('in PostgreSQL: %s', (_name, cases) => {
  for (const { name, run } of cases) test(name, run);
});
