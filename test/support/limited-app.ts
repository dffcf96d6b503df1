import { afterEach } from '@jest/globals';
import { InMemoryLimitStore, Module, type ApplicationOptions, type AuthInfo, type Class } from 'toolwright';
import { createTestApplication, type TestApplication } from 'toolwright/testing';
import { MemoryLogger } from './memory-logger.ts';

/** What a test opened; it is closed after the test. */
export const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A store whose time passes when a test says so. */
export class Time {
  now = Date.UTC(2026, 10, 23, 9, 30);
  readonly store = new InMemoryLimitStore({ now: () => this.now });
}

interface Started {
  readonly app: TestApplication;
  readonly time: Time;
}

export async function start(controller: Class, options: ApplicationOptions = {}): Promise<Started> {
  const time = new Time();
  @Module({ controllers: [controller] })
  class WorkModule {}
  const app = await createTestApplication(WorkModule, {
    logger: new MemoryLogger(),
    drainTimeout: 0,
    backplane: { counter: time.store },
    ...options,
  });
  closing.push(() => app.close());
  return { app, time };
}

export const person = (sub: string, facts: Partial<AuthInfo> = {}): AuthInfo => ({
  token: 't',
  clientId: 'editor',
  scopes: [],
  ...facts,
  extra: { sub, ...facts.extra },
});
