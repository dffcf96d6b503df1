/** Tools whose own code does next to nothing: whatever holds the loop is what Toolwright does with what was sent. */
import { Type } from 'class-transformer';
import {
  ArrayContains,
  ArrayUnique,
  IsArray,
  IsDateString,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotIn,
  IsObject,
  IsOptional,
  IsPhoneNumber,
  IsString,
  IsUrl,
  IsUUID,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import {
  Action,
  Complete,
  Destructive,
  Idempotent,
  Input,
  McpApplication,
  Module,
  Prompt,
  Resource,
  Sensitive,
  ToolContext,
  ToolGroup,
  type Class,
  type SchemaSource,
} from 'toolwright';
import { z } from 'zod';
import { serveAttacked } from '../serve-attacked.ts';

const MANY = Array.from({ length: 10_000 }, (_, index) => `value-${String(index).padStart(4, '0')}`);
const MEMBERS = Object.fromEntries(MANY.map((name) => [name, name]));
const each = { each: true };

/** A class whose one field `items` has these decorators. */
function listOf(...decorators: readonly PropertyDecorator[]): Class {
  class Input {
    items!: unknown;
  }
  for (const decorate of decorators) decorate(Input.prototype, 'items');
  return Input;
}

/** Classes that hold lists of each other, with texts in the last one. */
function nested(levels: number): Class {
  if (levels === 0) return listOf(IsArray(), IsString(each), MaxLength(3, each));
  const inner = nested(levels - 1);
  return listOf(
    IsArray(),
    ValidateNested(each),
    Type(() => inner),
  );
}

class Leaf {
  @IsString() @MaxLength(20) id!: string;
  @IsOptional() @IsInt() count?: number;
}
class Secret {
  @IsString() @MaxLength(8) @Sensitive() pin!: string;
}
class Secrets {
  @IsArray() @ValidateNested(each) @Type(() => Secret) items!: Secret[];
}
class Free {
  @IsOptional() @IsObject() data?: Record<string, unknown>;
  @IsOptional() @IsArray() list?: unknown[];
  @IsOptional() @IsString() text?: string;
}
class Sent {
  @IsOptional() @IsString() @Sensitive() text?: string;
  @IsOptional() @IsArray() @IsString(each) @Sensitive() items?: string[];
}
class Page {
  @IsArray() @IsIn(MANY, each) items!: string[];
}

const json = (items: object, more: object = {}): SchemaSource =>
  ({ type: 'object', properties: { items }, ...more }) as SchemaSource;
const array = (items: object, more: object = {}): object => ({ type: 'array', items, ...more });
const branches = (count: number, of: (index: number) => object): readonly object[] =>
  Array.from({ length: count }, (_, index) => of(index));
const leaf = (name: string): object => ({
  type: 'object',
  properties: { [name]: { type: 'string' }, kind: { const: name } },
  required: [name],
});
const tree = (keyword: string): SchemaSource => ({
  type: 'object',
  properties: { items: { $ref: '#/$defs/tree' } },
  $defs: {
    tree: {
      [keyword]: [
        { type: 'object', properties: { a: { $ref: '#/$defs/tree' } }, required: ['a'] },
        { type: 'object', properties: { a: { $ref: '#/$defs/tree' }, b: { type: 'string' } } },
      ],
    },
  },
});

/** A tree of operations, whose branches differ by their `op` alone. */
const tagged = (wrap: (branches: readonly object[]) => object): SchemaSource =>
  ({
    type: 'object',
    properties: { items: { $ref: '#/$defs/tree' } },
    $defs: {
      tree: wrap([
        ...['a', 'b'].map((op) => ({
          type: 'object',
          properties: { op: { const: op }, a: { $ref: '#/$defs/tree' } },
          required: ['op', 'a'],
        })),
        { type: 'object', properties: { op: { const: 'c' } }, required: ['op'] },
      ]),
    },
  }) as SchemaSource;
const zodTree: z.ZodType = z.lazy(() =>
  z.union([
    z.object({ op: z.literal('a'), a: zodTree }),
    z.object({ op: z.literal('b'), a: zodTree }),
    z.object({ op: z.literal('c') }),
  ]),
);
const zodTaggedTree: z.ZodType = z.lazy(() =>
  z.discriminatedUnion('op', [
    z.object({ op: z.literal('a'), a: zodTaggedTree }),
    z.object({ op: z.literal('b'), a: zodTaggedTree }),
    z.object({ op: z.literal('c') }),
  ]),
);

/** The name of a tool → what its arguments are checked with. */
const INPUTS: Readonly<Record<string, SchemaSource>> = {
  'dto-in': listOf(IsArray(), IsIn(MANY, each)),
  'dto-not-in': listOf(IsArray(), IsNotIn(MANY, each)),
  'dto-enum': listOf(IsArray(), IsEnum(MEMBERS, each)),
  'dto-contains': listOf(IsArray(), ArrayContains(MANY)),
  'dto-unique': listOf(IsArray(), ArrayUnique()),
  'dto-nested': nested(4),
  'dto-leaves': listOf(
    IsArray(),
    ValidateNested(each),
    Type(() => Leaf),
  ),
  'dto-email': listOf(IsArray(), IsEmail({}, each)),
  'dto-url': listOf(IsArray(), IsUrl({}, each)),
  'dto-uuid': listOf(IsArray(), IsUUID('4', each)),
  'dto-date': listOf(IsArray(), IsDateString({}, each)),
  'dto-iso': listOf(IsArray(), IsISO8601({ strict: true }, each)),
  'dto-phone': listOf(IsArray(), IsPhoneNumber('DE', each)),
  'dto-matches': listOf(IsArray(), Matches(/^(?:[a-z]+\s?)+$/, each)),
  'dto-object': listOf(IsObject()),
  'dto-set': listOf(
    IsString(each),
    MaxLength(3, each),
    Type(() => Set),
  ),
  'dto-map': listOf(
    ValidateNested(),
    Type(() => Leaf),
  ),
  'dto-secrets': Secrets,
  'json-enum': json(array({ enum: MANY })),
  'json-one-of': json(array({ oneOf: branches(50, (index) => ({ const: `c${String(index)}` })) })),
  'json-one-of-objects': json(array({ oneOf: branches(50, (index) => leaf(`f${String(index)}`)) })),
  'json-any-of-objects': json(array({ anyOf: branches(50, (index) => leaf(`f${String(index)}`)) })),
  'json-one-of-tree': tree('oneOf'),
  'json-any-of-tree': tree('anyOf'),
  'json-tagged-tree': tagged((oneOf) => ({ oneOf })),
  'json-any-tagged-tree': tagged((anyOf) => ({ anyOf })),
  'json-if-tree': tagged(([first, second]) => ({ if: first, then: second, else: second })),
  'json-all-of-tree': tagged((anyOf) => ({ allOf: [{ anyOf }, { anyOf }] })),
  'zod-tree': z.object({ items: zodTree }),
  'zod-tagged-tree': z.object({ items: zodTaggedTree }),
  'json-if': json(
    array({
      allOf: branches(50, (index) => ({
        if: { properties: { kind: { const: index } } },
        then: { required: [`f${String(index)}`] },
      })),
    }),
  ),
  'json-unique': json(array({}, { uniqueItems: true })),
  'json-contains': json(array({}, { contains: { enum: MANY }, minContains: 2 })),
  'json-pattern': json(array({ type: 'string', pattern: '^(\\w+\\s?)*$' })),
  'json-pattern-names': json({ type: 'object', patternProperties: { '^(a+)+$': { type: 'string' } } }),
  'json-names': json({ type: 'object', propertyNames: { pattern: '^(a|aa)+$' } }),
  'json-names-enum': json({ type: 'object', propertyNames: { enum: MANY } }),
  'json-unevaluated': json({
    type: 'object',
    allOf: branches(20, (index) => ({ properties: { [`f${String(index)}`]: {} } })),
    unevaluatedProperties: false,
  }),
  'json-unevaluated-items': json({ type: 'array', prefixItems: [{}], unevaluatedItems: false }),
  'json-dependent': json({
    type: 'object',
    dependentSchemas: Object.fromEntries(
      branches(50, (index) => leaf(`f${String(index)}`)).map((schema, index) => [
        `n${String(index)}`,
        schema,
      ]),
    ),
  }),
  'json-format': json(array({ type: 'string', format: 'date-time' })),
  'json-multiple': json(array({ type: 'number', multipleOf: 0.01 })),
  'json-closed': json({ type: 'object', properties: { a: {} }, additionalProperties: false }),
  'json-tuple': json({ type: 'array', prefixItems: branches(100, () => ({ type: 'string' })), items: false }),
  'zod-texts': z.object({ items: z.array(z.string().max(3)) }),
  'zod-union': z.object({
    items: z.array(
      z.union(Array.from({ length: 50 }, (_, index) => z.object({ [`f${index}`]: z.string() }))),
    ),
  }),
  'zod-enum': z.object({ items: z.array(z.enum(MANY as [string, ...string[]])) }),
  'zod-record': z.object({ items: z.record(z.string().max(3), z.number()) }),
  'zod-strict': z.object({ items: z.strictObject({ a: z.string().optional() }) }),
  'zod-email': z.object({ items: z.array(z.email()) }),
  'zod-uuid': z.object({ items: z.array(z.uuid()) }),
  'zod-date': z.object({ items: z.array(z.iso.datetime()) }),
  'zod-tuple': z.object({ items: z.tuple([z.string()]).rest(z.number()) }),
};

function toolOf([name, input]: readonly [string, SchemaSource]): Class {
  @ToolGroup(name)
  class Tool {
    @Action({ input })
    run(_input: object): string {
      return 'done';
    }
  }
  return Tool;
}

@ToolGroup('own')
class Own {
  @Action({ description: 'Takes anything', output: Free }) echo(input: Free): Free {
    return input;
  }
  @Action({ description: 'Breaks its output', output: Page }) breaks({ list }: Free): object {
    return { items: list };
  }
  @Action('Runs once') @Idempotent({ key: 'arguments' }) once(_input: Free): string {
    return 'done';
  }
  @Action('Asks before') @Destructive({ confirm: 'twice' }) twice(_input: Free): string {
    return 'done';
  }
  @Action('Throws what is secret') throws(input: Sent): never {
    throw new Error(`failed: ${JSON.stringify(input.items ?? input.text)}`);
  }
  @Action('Throws another text') fails(_input: Sent): never {
    throw new Error('no '.repeat(100_000));
  }
  @Action('Logs what it was given') async logs(input: Free, ctx: ToolContext): Promise<string> {
    await ctx.log(input, 'error');
    await ctx.progress(1, 2, input.text);
    return 'done';
  }
  @Action('Asks') async asks(ctx: ToolContext): Promise<string> {
    const { action } = await ctx.ask(Leaf, 'Which?');
    return action;
  }
  @Action({ description: 'Works later', task: true }) later(_input: Free): string {
    return 'done';
  }
  @Prompt('Writes') write(input: Leaf): string {
    return input.id;
  }
  @Complete('write', 'id') complete(value: string): string[] {
    return [value.slice(0, 5)];
  }
  @Resource('file:///{folder}/{+path}', { name: 'file' }) file(
    @Input() params: Record<string, string>,
  ): string {
    return String(params['path']).slice(0, 5);
  }
}

@Module({ controllers: [Own, ...Object.entries(INPUTS).map(toolOf)] })
class Loop {}
await serveAttacked(await McpApplication.create(Loop, { expose: 'flat', secrets: ['k'.repeat(32)] }), {
  sessions: process.env['SESSIONS'] !== undefined,
});
