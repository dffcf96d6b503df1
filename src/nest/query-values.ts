import { parse } from 'node:querystring';
import type { NarrowedField } from '../operations/joined-contract.ts';
import { createContract } from '../compile/contracts/create-contract.ts';
import { toInstance } from '../dto/shape/transformer-metadata.ts';
import type { Problem } from '../errors/problem-list.ts';
import type { Class, JsonSchema } from '../index.ts';
import type { OfferedOperation } from '../operations/curation.ts';
import type { Place } from '../operations/operation.ts';
import type { RequestForms } from '../operations/http/parameter-forms.ts';
import { isSameJson } from '../shared/canonical-json.ts';
import { isClass } from '../shared/class-type.ts';
import { isObject } from '../shared/json.ts';
import type { NestApplication } from './nest-application.ts';
import { validationPipes } from './pipes.ts';

/** How values of queries are written, and what cannot be written. */
export interface QueryPlan {
  /** With what is left of the values of their fields. */
  readonly operations: readonly OfferedOperation[];
  /** By the origin of the operation. */
  readonly forms: ReadonlyMap<string, RequestForms>;
  readonly warnings: readonly Problem[];
}

/** Texts for false, the usual one first. `Boolean('false')` is true, so not every DTO takes the first. */
const FALSE_TEXTS = ['false', '0', ''];
/** Names of a list with one item: parsers make a text of the first, and differ in the others. */
const LIST_NAMES = [(name: string) => name, (name: string) => `${name}[]`, (name: string) => `${name}[0]`];

/**
 * Tries how false, and a list of one item, arrive at the DTO of each query. The first way that arrives is how it is
 * written; where none does, models learn what can be said.
 */
export function findQueryForms(app: NestApplication, operations: readonly OfferedOperation[]): QueryPlan {
  const forms = new Map<string, RequestForms>();
  const warnings: Problem[] = [];
  const planned = operations.map((operation) => {
    const inputs = operation.inputs.map((place) => {
      if (place.in !== 'query' || place.name !== undefined || !isClass(place.source)) return place;
      // Without it a handler gets the texts of the query, whatever is sent
      const pipe = validationPipes(app, operation).find(
        ({ isTransformEnabled }) => isTransformEnabled === true,
      );
      if (pipe === undefined) return place;
      const found = tryFields(place.source, (text) =>
        toInstance(place.source as Class, parseQuery(app, text), [], pipe.transformOptions),
      );
      forms.set(operation.origin, { names: found.names, falseTexts: found.falseTexts });
      warnings.push(...[...found.narrowed.keys()].map((name) => warningFor(operation, name, found.narrowed)));
      return found.narrowed.size === 0 ? place : ({ ...place, narrowed: found.narrowed } satisfies Place);
    });
    return Object.freeze({ ...operation, inputs });
  });
  return { operations: planned, forms, warnings };
}

interface TriedFields {
  readonly names: Map<string, string>;
  readonly falseTexts: Map<string, string>;
  readonly narrowed: Map<string, NarrowedField>;
}

function tryFields(type: Class, arrive: (text: string) => unknown): TriedFields {
  const found: TriedFields = { names: new Map(), falseTexts: new Map(), narrowed: new Map() };
  const { schema } = createContract(type, { unknownFields: 'strict', where: type.name });
  const arrives = (text: string, name: string, wanted: unknown): boolean => {
    try {
      const value = (arrive(text) as Readonly<Record<string, unknown>>)[name];
      return value !== undefined && isSameJson(value, wanted);
    } catch {
      return false;
    }
  };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.type === 'boolean') {
      const text = FALSE_TEXTS.find((each) => arrives(`${name}=${each}`, name, false));
      if (text === undefined) found.narrowed.set(name, { enum: [true], description: 'Leave it out for no' });
      else found.falseTexts.set(name, text);
    }
    if (property.type === 'array') {
      const [text, item] = sampleItem(property.items);
      const form = LIST_NAMES.find((each) => arrives(`${each(name)}=${text}`, name, [item]));
      const needed = {
        minItems: Math.max(2, Number(property['minItems'] ?? 0)),
        description: 'At least two items',
      };
      if (form === undefined) found.narrowed.set(name, needed);
      else found.names.set(name, form(name));
    }
  }
  return found;
}

function sampleItem(items: JsonSchema | boolean | undefined): readonly [text: string, item: unknown] {
  const { type, enum: values } = isObject(items) ? items : {};
  if (values !== undefined) return [String(values[0]), values[0]];
  if (type === 'integer' || type === 'number') return ['1', 1];
  return type === 'boolean' ? ['true', true] : ['a', 'a'];
}

/** As the application does: Express has its parser as a setting. */
function parseQuery(app: NestApplication, text: string): object {
  const adapter = app.getHttpAdapter() as { getInstance?(): unknown; getType?(): string };
  const instance = adapter.getInstance?.() as { get?(setting: string): unknown } | undefined;
  const own = adapter.getType?.() === 'express' ? instance?.get?.('query parser fn') : undefined;
  const parsed = typeof own === 'function' ? (own as (query: string) => object)(text) : parse(text);
  return { ...parsed };
}

function warningFor(
  { origin, key }: OfferedOperation,
  name: string,
  narrowed: ReadonlyMap<string, NarrowedField>,
): Problem {
  const isList = narrowed.get(name)?.minItems !== undefined;
  return {
    code: 'TW_NEST_QUERY_VALUE',
    where: origin,
    what: `cannot be sent ${isList ? 'a list of one item' : 'false'} in "${name}" of ${key}.`,
    why: isList
      ? 'the parser of queries makes a text of it.'
      : 'class-transformer makes true of every text but the empty one.',
    fix: isList
      ? `@Transform(({ value }) => [value].flat()) on ${name}`
      : `@Transform(({ value }) => value === true || value === 'true') on ${name}`,
  };
}
