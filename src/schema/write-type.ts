import type { JsonSchema } from '../shared/json-schema.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { visibleText } from '../shared/visible-text.ts';
import { resolveReference } from './references.ts';
import { isSchema, propertiesOf } from './subschemas.ts';

/** A type may be part of another one; parentheses depend on what it is. */
interface TypeText {
  readonly text: string;
  readonly join?: '|' | '&';
}

const UNKNOWN: TypeText = { text: 'unknown' };
const NEVER: TypeText = { text: 'never' };

const MAX_DEPTH = 64;
/** References can repeat a schema without end; what comes after so many is `unknown`. */
const MAX_SCHEMAS = 5000;
const MAX_LINE_LENGTH = 100;
const STEP = '  ';
/** The compiler obeys `@ts-expect-error` in any comment. */
const DIRECTIVE = /@(?=ts-)/g;

/**
 * Writes the TypeScript type of the values that a JSON Schema accepts. What TypeScript cannot say (ranges, patterns,
 * `not`, `if`) is left out; a schema that contains itself is `unknown` inside; members that the schema does not name are
 * left out unless it allows them by `additionalProperties`. Descriptions become doc comments.
 *
 * @param schema a JSON Schema of 2020-12 or draft-07, with its definitions; anything else is `unknown`
 * @param indent the spaces before each further line
 * @example
 * writeType({ type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }); // '{ id: number }'
 */
export function writeType(schema: unknown, indent = ''): string {
  return new TypeWriter(schema).write(schema, indent).text;
}

/**
 * Writes the key of a member of a type: a name, or a text in quotes.
 * @example
 * writeKey('x-id'); // '"x-id"'
 */
export function writeKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : writeLiteral(name);
}

/** Writes the type that has this JSON value only. */
export function writeLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeLiteral).join(', ')}]`;
  if (isPlainObject(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${writeKey(name)}: ${writeLiteral(member)}`,
    );
    return members.length === 0 ? '{ [key: string]: never }' : `{ ${members.join('; ')} }`;
  }
  // JSON would keep line ends of Unicode and marks of direction, which show something else than they say
  return visibleText(JSON.stringify(value));
}

/**
 * Writes a doc comment with a final line end; an empty text where there is nothing to say.
 * @param indent the spaces before each line
 */
export function writeDocs(texts: readonly (string | undefined)[], indent = ''): string {
  const said = texts.filter((text) => text !== undefined && text.trim() !== '').join('\n');
  if (said === '') return '';
  const lines = visibleText(said.trim())
    .replaceAll('*/', String.raw`*\/`)
    .replaceAll(DIRECTIVE, '@ ')
    .split('\n');
  if (lines.length === 1) return `${indent}/** ${lines.join('')} */\n`;
  const inner = lines.map((line) => `${indent} * ${line}`.trimEnd());
  return `${indent}/**\n${inner.join('\n')}\n${indent} */\n`;
}

class TypeWriter {
  readonly #root: PlainObject;
  /** The references that lead to the place that is written. */
  readonly #inside = new Set<string>();
  #left = MAX_SCHEMAS;
  #depth = 0;

  constructor(root: unknown) {
    this.#root = isPlainObject(root) ? root : {};
  }

  write(schema: unknown, indent: string): TypeText {
    if (schema === false) return NEVER;
    if (!isPlainObject(schema) || this.#left <= 0 || this.#depth >= MAX_DEPTH) return UNKNOWN;
    this.#left -= 1;
    this.#depth += 1;
    const written = this.#writeSchema(schema, indent);
    this.#depth -= 1;
    return schema['nullable'] === true ? joinTypes('|', [written, { text: 'null' }]) : written;
  }

  #writeSchema(schema: JsonSchema, indent: string): TypeText {
    if (Object.hasOwn(schema, 'const')) return { text: writeLiteral(schema.const) };
    if (Array.isArray(schema.enum))
      return joinTypes(
        '|',
        schema.enum.map((value): TypeText => ({ text: writeLiteral(value) })),
      );
    const parts = this.#partsOf(schema, indent).filter(({ text }) => text !== UNKNOWN.text);
    if (parts.length > 0 && !hasMembers(schema)) return joinTypes('&', parts);
    return joinTypes('&', [this.#writeOwn(schema, indent), ...parts]);
  }

  /** What the schema says of its value by other schemas. */
  #partsOf({ $ref, allOf, anyOf, oneOf }: JsonSchema, indent: string): readonly TypeText[] {
    return [
      ...(typeof $ref === 'string' ? [this.#writeTarget($ref, indent)] : []),
      ...listIn(allOf).map((part) => this.write(part, indent)),
      ...[anyOf, oneOf].map((choices) =>
        Array.isArray(choices)
          ? joinTypes(
              '|',
              choices.map((choice) => this.write(choice, indent)),
            )
          : UNKNOWN,
      ),
    ];
  }

  #writeTarget(reference: string, indent: string): TypeText {
    if (this.#inside.has(reference)) return UNKNOWN;
    this.#inside.add(reference);
    const written = this.write(resolveReference(this.#root, reference), indent);
    this.#inside.delete(reference);
    return written;
  }

  #writeOwn(schema: JsonSchema, indent: string): TypeText {
    const types = [schema.type ?? impliedType(schema)].flat().filter((type) => type !== undefined);
    if (types.length === 0) return UNKNOWN;
    return joinTypes(
      '|',
      types.map((type) => this.#writeNamed(type, schema, indent)),
    );
  }

  #writeNamed(type: unknown, schema: JsonSchema, indent: string): TypeText {
    switch (type) {
      case 'object':
        return this.#writeObject(schema, indent);
      case 'array':
        return this.#writeArray(schema, indent);
      case 'integer':
        return { text: 'number' };
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
        return { text: type };
      default:
        return UNKNOWN;
    }
  }

  #writeArray(schema: JsonSchema, indent: string): TypeText {
    const { items, prefixItems, additionalItems, minItems } = schema;
    const first = listIn(prefixItems ?? items);
    const others = Array.isArray(items) ? additionalItems : items;
    if (first.length === 0) return { text: `${inParentheses(this.write(others, indent))}[]` };
    const least = typeof minItems === 'number' ? minItems : 0;
    const places = first.map((item, place) => {
      const written = this.write(item, indent);
      return place < least ? written.text : `${inParentheses(written)}?`;
    });
    const rest = others === false ? [] : [`...${inParentheses(this.write(others, indent))}[]`];
    return { text: `[${[...places, ...rest].join(', ')}]` };
  }

  #writeObject(schema: JsonSchema, indent: string): TypeText {
    const inner = `${indent}${STEP}`;
    const required = new Set(listIn(schema.required).filter((name) => typeof name === 'string'));
    const properties = propertiesOf(schema);
    const undeclared = [...required].filter((name) => !properties.has(name));
    const members = [
      ...[...properties].map(([name, property]) => {
        const sign = required.has(name) ? '' : '?';
        return `${docsOf(property, inner)}${inner}${writeKey(name)}${sign}: ${this.write(property, inner).text};`;
      }),
      ...undeclared.map((name) => `${inner}${writeKey(name)}: unknown;`),
    ];
    const others = this.#writeOthers(schema, members.length > 0, inner);
    if (members.length === 0) return { text: `{ ${others ?? '[key: string]: never'} }` };
    if (others !== undefined) members.push(`${inner}${others};`);
    return { text: onOneLine(members, inner) ?? `{\n${members.join('\n')}\n${indent}}` };
  }

  /** The index signature; it has to fit all members beside it. */
  #writeOthers(schema: JsonSchema, hasNames: boolean, indent: string): string | undefined {
    const { additionalProperties: others, patternProperties: patterns } = schema;
    const hasPatterns = isPlainObject(patterns) && Object.keys(patterns).length > 0;
    if (hasPatterns || others === true || (!hasNames && others === undefined))
      return '[key: string]: unknown';
    if (!isPlainObject(others)) return undefined;
    return `[key: string]: ${hasNames ? 'unknown' : this.write(others, indent).text}`;
  }
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether the schema itself says something of members, beside what other schemas say in its place. */
function hasMembers({ properties, required, additionalProperties }: JsonSchema): boolean {
  return (
    (isPlainObject(properties) && Object.keys(properties).length > 0) ||
    listIn(required).length > 0 ||
    isPlainObject(additionalProperties)
  );
}

/** Schemas often leave out the type that their keywords are about. */
function impliedType(schema: JsonSchema): string | undefined {
  if (hasMembers(schema)) return 'object';
  return schema.items === undefined && schema['prefixItems'] === undefined ? undefined : 'array';
}

function docsOf(schema: unknown, indent: string): string {
  if (!isSchema(schema) || typeof schema === 'boolean') return '';
  const { description, title, deprecated } = schema;
  const said = [description, title].find((text) => typeof text === 'string');
  return writeDocs([said, deprecated === true ? '@deprecated' : undefined], indent);
}

/** Members without comments, if they fit. */
function onOneLine(members: readonly string[], indent: string): string | undefined {
  const text = `{ ${members
    .map((member) => member.trimStart())
    .join(' ')
    .replace(/;$/, '')} }`;
  return text.includes('\n') || text.includes('/**') || text.length + indent.length > MAX_LINE_LENGTH
    ? undefined
    : text;
}

function joinTypes(join: '|' | '&', types: readonly TypeText[]): TypeText {
  const [absorbing, neutral] = join === '|' ? [UNKNOWN, NEVER] : [NEVER, UNKNOWN];
  if (types.some(({ text }) => text === absorbing.text)) return absorbing;
  const byText = new Map(types.map((type) => [type.text, type]));
  byText.delete(neutral.text);
  const [only, ...more] = byText.values();
  if (only === undefined) return neutral;
  if (more.length === 0) return only;
  const texts = [only, ...more].map((type) =>
    type.join === undefined || type.join === join ? type.text : `(${type.text})`,
  );
  return { text: texts.join(` ${join} `), join };
}

function inParentheses({ text, join }: TypeText): string {
  return join === undefined ? text : `(${text})`;
}
