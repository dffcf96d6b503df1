import { definitionName, freeName, plainName, referenceTo } from '../schema/definitions.ts';
import { mapHeld } from '../schema/subschemas.ts';
import { decodeFragment } from '../schema/references.ts';
import { pointTo, valueAt } from '../schema/pointer.ts';
import { shortText } from '../operations/inputs.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { OpenApiFault } from './openapi-fault.ts';

/** Which fields are left out. */
type HiddenMark = 'readOnly' | 'writeOnly';

/** What a model does not need: the words of tools, and what says nothing about a value. */
const DROPPED = new Set([
  'xml',
  'externalDocs',
  'discriminator',
  'title',
  'example',
  'examples',
  'deprecated',
]);

/**
 * Copies what one operation needs of the schemas of a document. Shared and recursive types become definitions, once each;
 * a document is never dereferenced: what is shared a thousand times would be there a thousand times.
 */
export class SchemaCopy {
  readonly #root: PlainObject;
  readonly #isFull: boolean;
  readonly #hidden: HiddenMark;
  /** Pointer → name. */
  readonly #names = new Map<string, string>();
  readonly #definitions = new Map<string, unknown>();

  constructor(
    root: PlainObject,
    { isFull = false, hidden = 'readOnly' }: { readonly isFull?: boolean; readonly hidden?: HiddenMark } = {},
  ) {
    this.#root = root;
    this.#isFull = isFull;
    this.#hidden = hidden;
  }

  /** The definitions that the copies refer to, as a member of the schema around them. */
  definitions(): PlainObject {
    return this.#definitions.size === 0 ? {} : { $defs: Object.fromEntries(this.#definitions) };
  }

  /** The copy of a schema; its references lead to {@link definitions}. @throws OpenApiFault */
  copy(given: unknown, pointer: string): unknown {
    if (typeof given === 'boolean') return given;
    if (!isPlainObject(given)) throw new OpenApiFault('TW_OPENAPI_OPERATION', pointer, 'is not a schema');
    // Swagger 2.0 has no other way to say it
    const told = given['x-nullable'] === true ? { ...given, nullable: true } : given;
    const kept = Object.entries(told).filter(([name]) => !DROPPED.has(name) && !name.startsWith('x-'));
    const copied = kept.map(
      ([name, value]) => [name, this.#member(name, value, pointTo(pointer, name))] as const,
    );
    return withoutHidden(withMediaType(Object.fromEntries(copied)), this.#hidden, (reference) =>
      this.#definitions.get(definitionName(reference)),
    );
  }

  /** The copy of a schema, or of what it refers to. */
  copyWhole(given: unknown, pointer: string): unknown {
    const { value, pointer: place } = resolveReference(this.#root, given, pointer);
    return this.copy(value, place);
  }

  #member(name: string, value: unknown, pointer: string): unknown {
    if (name === '$ref') return referenceTo(this.#define(value, pointer));
    if (name === 'description' && typeof value === 'string') return this.#isFull ? value : shortText(value);
    return mapHeld(name, value, (schema, ...tokens) => this.copy(schema, pointTo(pointer, ...tokens)));
  }

  #define(reference: unknown, pointer: string): string {
    const target = localPointer(reference, pointer);
    const known = this.#names.get(target);
    if (known !== undefined) return known;
    const value = valueAt(this.#root, target);
    if (value === undefined) throw nowhere(reference, pointer);
    const taken = new Set(this.#names.values());
    const name = freeName(plainName(target.slice(target.lastIndexOf('/') + 1)), taken);
    this.#names.set(target, name);
    this.#definitions.set(name, this.copy(value, target));
    return name;
  }
}

const MAX_REFERENCES = 20;

/** What a reference of a parameter, a body or a schema leads to. @throws OpenApiFault */
export function resolveReference(
  root: PlainObject,
  given: unknown,
  pointer: string,
): { readonly value: unknown; readonly pointer: string } {
  let [value, place] = [given, pointer];
  for (let steps = 0; isPlainObject(value) && Object.hasOwn(value, '$ref'); steps += 1) {
    const { $ref: reference } = value;
    if (steps === MAX_REFERENCES) throw new OpenApiFault('TW_OPENAPI_REFERENCE', pointer, 'refers to itself');
    place = localPointer(reference, place);
    value = valueAt(root, place);
    if (value === undefined) throw nowhere(reference, pointer);
  }
  return { value, pointer: place };
}

/** Nothing but the document itself is read. */
function localPointer(reference: unknown, pointer: string): string {
  const text = typeof reference === 'string' ? reference : '';
  const target = text.startsWith('#/') ? decodeFragment(text.slice(1)) : undefined;
  if (target !== undefined) return target;
  const said = JSON.stringify(text.slice(0, 200));
  throw new OpenApiFault('TW_OPENAPI_REFERENCE', pointer, `the reference ${said} leads out of the document`);
}

function nowhere(reference: unknown, pointer: string): OpenApiFault {
  return new OpenApiFault(
    'TW_OPENAPI_REFERENCE',
    pointer,
    `the reference ${String(reference)} leads to nothing`,
  );
}

/** OpenAPI 3.0 says `format: binary` of bytes. */
function withMediaType(schema: PlainObject): PlainObject {
  if (schema['format'] !== 'binary') return schema;
  const { format: _format, ...rest } = schema;
  return { ...rest, contentMediaType: 'application/octet-stream' };
}

/** What only answers have is not offered, and what only requests have is in no answer. */
function withoutHidden(
  schema: PlainObject,
  mark: HiddenMark,
  definition: (reference: string) => unknown,
): PlainObject {
  const { properties, required } = schema;
  if (!isPlainObject(properties)) return schema;
  const isHidden = (value: unknown): boolean => {
    if (!isPlainObject(value)) return false;
    const target = typeof value['$ref'] === 'string' ? definition(value['$ref']) : undefined;
    return value[mark] === true || (isPlainObject(target) && target[mark] === true);
  };
  const kept = Object.entries(properties).filter(([, value]) => !isHidden(value));
  if (kept.length === Object.keys(properties).length) return schema;
  const names = new Set(kept.map(([name]) => name));
  return {
    ...schema,
    properties: Object.fromEntries(kept),
    ...(Array.isArray(required) ? { required: required.filter((name: string) => names.has(name)) } : {}),
  };
}
