import { afterEach, describe, expect, test } from '@jest/globals';
import { ValidateBy } from 'class-validator';
import { Action, McpApplication, Module, ToolGroup } from 'toolwright';
import { z } from 'zod';
import { MemoryLogger } from '../support/fake-application.ts';

let throwing: 'never' | 'once' | 'always' = 'never';

function rule(): boolean {
  const error = new TypeError('the rule is broken');
  if (throwing === 'once') throwing = 'never';
  else if (throwing === 'never') return true;
  throw error;
}

class Order {
  @ValidateBy({ name: 'broken', validator: { validate: rule } })
  id!: string;
}

const ENDLESS = {
  type: 'object',
  properties: { id: { $ref: '#/$defs/one' } },
  $defs: { one: { anyOf: [{ $ref: '#/$defs/other' }] }, other: { allOf: [{ $ref: '#/$defs/one' }] } },
} as const;

@ToolGroup('checks')
class Checks {
  @Action()
  dto(input: Order): string {
    return input.id;
  }
  @Action({ input: z.object({ id: z.string().refine(rule) }) })
  zod(input: { readonly id: string }): string {
    return input.id;
  }
  // No value is ever reached: a check would go around forever
  @Action({ input: ENDLESS })
  endless(input: { readonly id: string }): string {
    return input.id;
  }
}

@Module({ controllers: [Checks] })
class ChecksModule {}

const logger = new MemoryLogger();

/** @param mode when the rule throws, from the second call on */
async function call(action: string, mode: typeof throwing = 'never') {
  const app = await McpApplication.create(ChecksModule, { logger });
  if (mode !== 'never') await app.call('checks', { action, id: 'a' });
  throwing = mode;
  const { content, isError = false } = await app.call('checks', { action, id: 'a' });
  await app.close();
  const records = logger.records.filter(({ event }) => event.startsWith('call.'));
  return { isError, text: JSON.stringify(content), records };
}

afterEach(() => {
  throwing = 'never';
  logger.records.length = 0;
});

describe('a rule that throws', () => {
  test.each(['dto', 'zod'])(
    'refuses the input of %s, and the cause is logged for who debugs',
    async (action) => {
      const { text, records } = await call(action, 'always');
      expect(text).toContain('VALIDATION_FAILED');
      expect(text).not.toContain('the rule is broken');
      expect(records).toMatchObject([
        { level: 'debug', event: 'call.check-failed', error: { message: 'the rule is broken' } },
      ]);
    },
  );
});

test('a compiled check that throws where the libraries do not is reported as a fault, and the call goes on', async () => {
  const { isError, records } = await call('dto', 'once');
  expect(isError).toBe(false);
  expect(records).toMatchObject([
    { level: 'warning', event: 'call.check-failed', error: { message: 'the rule is broken' } },
  ]);
  expect(records[0]?.message).toContain('checks/dto');
});

test('a check that cannot be done is an internal error, and no mistake of the caller', async () => {
  const { text, records } = await call('endless');
  expect(text).toContain('INTERNAL_ERROR');
  expect(records).toMatchObject([{ level: 'error', event: 'call.failed' }]);
});
