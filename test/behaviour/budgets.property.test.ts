import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ArrayMinSize, IsArray, IsBoolean, IsInt, IsOptional, IsString } from 'class-validator';
import fc from 'fast-check';
import { createTool, McpApplication, Module, Page, type CallToolResult, type JsonSchema } from 'toolwright';
import { MemoryLogger } from '../support/memory-logger.ts';
import { tries } from '../support/thorough.ts';

/** 10,000 of them were run once with `CASES=10000`. */
const CASES = tries(60, 10_000);

class Listed {
  @IsArray()
  @ArrayMinSize(1)
  @IsString({ each: true })
  @Page<string>({ cursor: (last) => last })
  items!: string[];
  @IsString() @IsOptional() nextCursor?: string;
  @IsInt() @IsOptional() total?: number;
  @IsBoolean() @IsOptional() truncated?: boolean;
  @IsString() @IsOptional() note?: string;
}

const LINKED: JsonSchema = {
  anyOf: [
    {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: { resourceLink: { type: 'object', required: ['uri', 'name'] } },
      required: ['resourceLink'],
      additionalProperties: false,
    },
  ],
};
const CLOSED: JsonSchema = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
  additionalProperties: false,
};

const BUDGET = { bytes: 1024 };
const limits = { budget: BUDGET };
let given: unknown;
const handler = (): unknown => given;

@Module({})
class AppModule {}

let app: McpApplication;
const validators = new Map<string, (value: unknown) => boolean>();

beforeAll(async () => {
  app = await McpApplication.create(AppModule, { logger: new MemoryLogger(), limits });
  for (const [name, output] of Object.entries({ listed: Listed, linked: LINKED, closed: CLOSED })) {
    for (const result of ['json', 'toon', 'text'] as const) {
      const tool = `${name}-${result}`;
      app.registry.register(createTool(tool).action({ name: 'run', output, result, handler }));
      const listed = app.registry.getAllTools().find(({ name: each }) => each === tool);
      validators.set(tool, new Ajv2020({ strict: false }).compile(listed?.outputSchema as object));
    }
  }
  app.registry.register(createTool('plain').action({ name: 'run', handler }));
});
afterAll(() => app.close());

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('😀', '"\\', '\u0000\u0001', 'é', '\ud83d', '‍👩‍👩‍👧'),
);
const long = fc
  .tuple(texts, fc.integer({ min: 1, max: 600 }), fc.nat(40))
  .map(([text, count, start]) => `${'a'.repeat(start)}${(text + '😀').repeat(count)}`);
const outputs = fc.oneof(
  fc.record({
    tool: fc.constantFrom('listed-json', 'listed-toon', 'listed-text'),
    value: fc.record(
      {
        items: fc.array(fc.oneof(texts, long), { minLength: 1, maxLength: 60 }),
        note: fc.oneof(texts, long),
        nextCursor: texts,
      },
      { requiredKeys: ['items'] },
    ),
  }),
  fc.record({
    tool: fc.constantFrom('linked-json', 'closed-json', 'linked-toon', 'closed-text'),
    value: fc.record({ text: long }),
  }),
  fc.record({ tool: fc.constant('plain'), value: fc.oneof(long, fc.array(long, { maxLength: 5 })) }),
);

/** TOON refuses halves of surrogate pairs. */
function wellFormed<Value>(value: Value): Value {
  const mend = (_name: string, member: unknown): unknown =>
    typeof member === 'string' ? Buffer.from(member).toString() : member;
  return JSON.parse(JSON.stringify(value, mend)) as Value;
}

function bytesOf({ content, structuredContent }: CallToolResult): number {
  const structure = structuredContent === undefined ? '' : JSON.stringify(structuredContent);
  return Buffer.byteLength(JSON.stringify(content) + structure);
}

test('every result is within its budget, and fits its schema or is an error', async () => {
  const seen = { whole: 0, cut: 0, linked: 0, errors: 0 };
  await fc.assert(
    fc.asyncProperty(outputs, async ({ tool, value: any }) => {
      const value = tool.endsWith('toon') ? wellFormed(any) : any;
      given = value;
      const result = await app.call(tool, { action: 'run' });
      expect(bytesOf(result)).toBeLessThanOrEqual(BUDGET.bytes);
      if (result.isError === true) {
        seen.errors += 1;
        expect(JSON.stringify(result.content)).toContain('RESULT_TOO_LARGE');
        return;
      }
      const structure = result.structuredContent;
      const validate = validators.get(tool);
      if (validate !== undefined) expect(validate(structure)).toBe(true);
      if (result.content.some(({ type }) => type === 'resource_link')) {
        seen.linked += 1;
        return;
      }
      const page = structure as Listed | undefined;
      if (page?.truncated !== true) {
        seen.whole += 1;
        return;
      }
      seen.cut += 1;
      const { items } = value as Listed;
      expect(page.items).toEqual(items.slice(0, page.items.length));
      expect(page.nextCursor).toBe(page.items.at(-1));
      const [text] = result.content;
      if (tool === 'listed-json')
        expect(JSON.parse(text?.type === 'text' ? text.text : '')).toEqual(structure);
    }),
    { numRuns: CASES },
  );
  for (const [kind, count] of Object.entries(seen)) expect([kind, count > 0]).toEqual([kind, true]);
  expect(seen.cut + seen.linked + seen.errors).toBeGreaterThan(CASES / 2);
});
