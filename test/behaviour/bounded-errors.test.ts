import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsEnum,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import * as fc from 'fast-check';
import {
  Action,
  error,
  McpApplication,
  Module,
  Prompt,
  ToolError,
  ToolGroup,
  type CallToolResult,
} from 'toolwright';
import { z } from 'zod';
import type { JsonSchema } from '../../src/shared/json-schema.ts';
import { post2026 } from '../support/client-of-2026.ts';
import { MemoryLogger } from '../support/memory-logger.ts';

const MANY = Array.from({ length: 10_000 }, (_, index) => `value-${String(index)}`);
const MEMBERS = Object.fromEntries(MANY.slice(0, 300).map((name) => [name, name]));
const [TEXTS, ANSWER] = [16 * 1024, 64 * 1024];

class Item {
  @IsIn(MANY) at!: string;
}
class Dto {
  @IsOptional() @IsArray() @IsIn(MANY, { each: true }) items?: string[];
  @IsOptional() @IsArray() @IsEnum(MEMBERS, { each: true }) members?: string[];
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Item) nested?: Item[];
  @IsOptional() @IsString({ message: '$value is not a text' }) text?: string;
}
const Zod = z.object({
  items: z.array(z.enum(MANY as [string, ...string[]])).optional(),
  members: z.array(z.string()).optional(),
  nested: z.array(z.strictObject({ at: z.enum(MANY as [string, ...string[]]) })).optional(),
  text: z.string().optional(),
});
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const Raw: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    items: listOf({ enum: MANY }),
    members: listOf({ oneOf: MANY.slice(0, 50).map((value) => ({ const: value })) }),
    nested: listOf({
      type: 'object',
      properties: { at: { enum: MANY } },
      required: ['at'],
      additionalProperties: false,
    }),
    text: { type: 'string', pattern: `^(${MANY.slice(0, 999).join('|')})$` },
  },
};
class Free {
  @IsOptional() @IsObject() data?: object;
  @IsOptional() @IsArray() list?: unknown[];
}
class Page {
  @IsArray() @IsIn(MANY, { each: true }) items!: string[];
  @IsInt() total!: number;
}

@ToolGroup('bound')
class BoundTools {
  @Action('A DTO') dto(_input: Dto): string {
    return 'ok';
  }
  @Action({ description: 'A schema of zod', input: Zod }) zod(): string {
    return 'ok';
  }
  @Action({ description: 'JSON Schema', input: Raw }) raw(): string {
    return 'ok';
  }
  @Action({ description: 'Breaks its output', output: Page }) output(input: Free): object {
    return { items: input.list ?? [], total: 'none', ...input.data };
  }
  @Action('Throws what it was given') throws(input: Free): never {
    throw new Error(JSON.stringify(input));
  }
  @Action('Declares what it was given') declares(input: Free): never {
    throw new ToolError('NO', JSON.stringify(input), { suggestion: JSON.stringify(input), details: input });
  }
  @Action('Gives back an error') returns(input: Free): CallToolResult {
    return error(JSON.stringify(input));
  }
  @Action('Writes its own error') writes(input: Free): CallToolResult {
    return { content: [{ type: 'text', text: JSON.stringify(input) }], isError: true };
  }
  @Action('Writes its own error, and more for a program') adds(): CallToolResult {
    const _meta = Object.fromEntries(MANY.map((name) => [name, name]));
    return { content: [{ type: 'text', text: 'no' }], _meta, isError: true };
  }
  @Prompt('Greets') greet(_input: Item): string {
    return 'hello';
  }
}
@Module({ controllers: [BoundTools] })
class BoundModule {}

const logger = new MemoryLogger();
let app: McpApplication;
beforeAll(async () => {
  app = await McpApplication.create(BoundModule, { logger, maskErrors: false });
});
afterAll(() => app.close());

const call = (action: string, args: object): Promise<CallToolResult> =>
  app.call('bound', { action, ...args });
const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const textOf = ({ content }: CallToolResult): string => (content[0] as { readonly text: string }).text;
const detailsOf = ({ _meta: meta }: CallToolResult) =>
  (meta?.['toolwright/error'] ?? {}) as {
    readonly issues?: readonly Record<string, unknown>[];
    readonly details?: unknown;
  };

const issuesOf = (result: CallToolResult) => detailsOf(result).issues ?? [];

const text = fc.oneof(
  fc.string({ maxLength: 80, unit: 'binary' }),
  fc.constantFrom('\u0000'.repeat(9000), 'ä"'.repeat(9000), '{'.repeat(200), 'value-1'),
);
const list = fc
  .array(fc.oneof(text, fc.integer(), fc.constant(null), fc.dictionary(text, text, { maxKeys: 3 })), {
    maxLength: 60,
  })
  .chain((items) => fc.constantFrom(1, 40).map((times) => Array.from({ length: times }, () => items).flat()));
const args = fc.record(
  {
    items: fc.oneof(list, text),
    members: fc.oneof(list, text),
    nested: fc.oneof(list, fc.dictionary(text, text)),
    text: fc.oneof(text, fc.integer(), list),
  },
  { requiredKeys: [] },
);
const unknown = fc.dictionary(text, fc.oneof(text, list), { maxKeys: 30 });

describe('the answer to whatever a client sends', () => {
  test.each(['dto', 'zod', 'raw'])('has at most 16 KiB of error texts: %s', async (action) => {
    await fc.assert(
      fc.asyncProperty(args, unknown, async (known, more) => {
        const result = await call(action, { ...more, ...known, action });
        if (result.isError === true) expect(bytes(result)).toBeLessThanOrEqual(TEXTS);
        for (const issue of issuesOf(result)) expect(bytes(issue)).toBeLessThanOrEqual(1024);
      }),
      { numRuns: 25 },
    );
  });

  test.each(['output', 'throws', 'declares', 'returns', 'writes'])(
    'has at most 64 KiB: %s',
    async (action) => {
      await fc.assert(
        fc.asyncProperty(unknown, list, async (data, items) => {
          const result = await call(action, { data, list: items });
          expect(result.isError).toBe(true);
          expect(bytes(result)).toBeLessThanOrEqual(ANSWER);
          const { details: _, ...facts } = detailsOf(result);
          if (action !== 'writes') expect(bytes([result.content, facts])).toBeLessThanOrEqual(TEXTS + 64);
          for (const { message, issues = [] } of logger.records.splice(0))
            expect(bytes([message, issues])).toBeLessThanOrEqual(TEXTS);
        }),
        { numRuns: 12 },
      );
    },
  );

  test('has no _meta of a handler that is too large for an error', async () => {
    const { isError, content, _meta } = await call('adds', {});
    expect([isError, content, _meta]).toEqual([true, [{ type: 'text', text: 'no' }], undefined]);
  });

  test('of a prompt has at most 64 KiB', async () => {
    const { url } = await app.listen({ port: 0, signals: false });
    const wrong = { name: 'greet', arguments: { at: 'x'.repeat(100_000), ['\u0001'.repeat(50_000)]: 'y' } };
    const { body } = await post2026(url, 'prompts/get', wrong);
    expect(body).toContain('VALIDATION_FAILED');
    expect(Buffer.byteLength(body)).toBeLessThan(TEXTS);
  });
});

describe('of many allowed values, twenty are shown and the rest is counted', () => {
  test.each(['dto', 'zod', 'raw'])('%s', async (action) => {
    const result = await call(action, { items: ['none'] });
    const [issue] = issuesOf(result);
    expect(issue?.['expected']).toBe(`one of: ${MANY.slice(0, 20).join(', ')}, … and 9,980 more`);
    expect(textOf(result)).not.toContain('value-20,');
    expect(textOf(result)).toContain('… and 9,980 more');
  });

  test('also in the message of class-validator', async () => {
    const issues = issuesOf(await call('dto', { members: ['none'] }));
    expect(issues[0]?.['message']).toMatch(/^each value in members must be .* value-19, … and 280 more$/);
  });
});

describe('equal issues are shown once, with their places', () => {
  test.each(['dto', 'zod', 'raw'])('%s', async (action) => {
    const result = await call(action, { items: ['a', 'value-1', 'b', 'c'], text: 5 });
    const issues = issuesOf(result);
    expect(issues.map(({ path }) => path)).toEqual(['items.0', 'text']);
    expect(issues[0]?.['also']).toEqual(['items.2', 'items.3']);
    expect(textOf(result)).toContain('also at items.2, items.3');
  });

  test('and of very many, twenty places and the number of the others', async () => {
    const issues = issuesOf(await call('zod', { members: Array.from({ length: 150 }, () => 1) }));
    const also = issues[0]?.['also'] as readonly string[];
    expect([issues.length, also.length, also.at(-1)]).toEqual([1, 21, '… and 129 more']);
  });
});
