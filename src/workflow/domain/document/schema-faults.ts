import { type CompiledSchema, type ValidationError, createSchemaValidator } from '../../../formats/index.ts';
import { isPlainObject } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { documentFault, type DocumentFault } from './document-fault.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { workflowSchema } from './workflow-schema.ts';

type ToFault = (error: ValidationError) => DocumentFault | undefined;

const FAULTS: Readonly<Record<string, ToFault>> = {
  required: ({ path, params }) =>
    documentFault('MISSING_FIELD', pointTo(path, String(params.missingProperty)), 'is missing.'),
  additionalProperties: ({ path, params }) => unknownProperty(path, String(params.additionalProperty)),
  'false schema': ({ path }) => unknownProperty(...splitLast(path)),
  type: ({ path, params }) => documentFault('WRONG_TYPE', path, `has to be ${typesOf(params.type)}.`),
  pattern: ({ path }) => documentFault('PATTERN_MISMATCH', path, 'does not have the form that is wanted.'),
  minLength: ({ path, params }) =>
    documentFault('TOO_SHORT', path, `needs at least ${limitOf(params)} characters.`),
  maxLength: ({ path, params }) =>
    documentFault('TOO_LONG', path, `takes at most ${limitOf(params)} characters.`),
  minItems: ({ path, params }) =>
    documentFault('TOO_FEW_ITEMS', path, `needs at least ${limitOf(params)} items.`),
  maxItems: ({ path, params }) => documentFault('TOO_LARGE', path, `takes at most ${limitOf(params)} items.`),
  minimum: ({ path, params }) =>
    documentFault('OUT_OF_RANGE', path, `has to be at least ${limitOf(params)}.`),
  maximum: ({ path, params }) => documentFault('OUT_OF_RANGE', path, `has to be at most ${limitOf(params)}.`),
  enum: ({ path, params }) =>
    documentFault('OUT_OF_RANGE', path, `has to be one of ${listOf(params.allowedValues)}.`),
  uniqueItems: ({ path, params }) =>
    documentFault(
      'DUPLICATE_ITEM',
      pointTo(path, Math.max(Number(params.i), Number(params.j))),
      'is there already.',
    ),
  limit: ({ path, message }) => documentFault('TOO_LARGE', path, `${message}.`),
  // It says once more that a branch failed
  if: () => undefined,
};

/**
 * What the schema of documents finds in a document, conditions and criteria excepted: these have checks of their
 * own, which say more and take any depth. It goes from step to step, so that it can end when there are faults enough.
 */
export function schemaFaults(document: unknown): readonly DocumentFault[] {
  const { whole, step, bodyStep } = documentShapes();
  const faults = [...faultsAt('', document, whole)];
  for (const { value, path } of itemsAt(document, 'steps', '').slice(0, DOCUMENT_LIMITS.steps)) {
    faults.push(...faultsAt(path, value, step));
    for (const inner of itemsAt(value, 'body', path)) {
      // More are not told
      if (faults.length > DOCUMENT_LIMITS.faults) return faults;
      faults.push(...faultsAt(inner.path, inner.value, bodyStep));
    }
    if (faults.length > DOCUMENT_LIMITS.faults) return faults;
  }
  return faults;
}

interface Item {
  readonly value: unknown;
  readonly path: string;
}

function itemsAt(holder: unknown, name: string, path: string): readonly Item[] {
  const items = isPlainObject(holder) ? holder[name] : undefined;
  if (!Array.isArray(items)) return [];
  return items.map((value: unknown, index) => ({ value, path: pointTo(path, name, index) }));
}

function faultsAt(base: string, value: unknown, shape: CompiledSchema): readonly DocumentFault[] {
  return shape
    .validate(value)
    .errors.slice(0, DOCUMENT_LIMITS.faults + 1)
    .map((error) => toFault({ ...error, path: base + error.path }))
    .filter((fault) => fault !== undefined);
}

function toFault(error: ValidationError): DocumentFault | undefined {
  const { keyword, path, message } = error;
  const convert = FAULTS[keyword];
  return convert === undefined ? documentFault('WRONG_TYPE', path, `${message}.`) : convert(error);
}

function unknownProperty(path: string, name: string): DocumentFault {
  return documentFault(
    'UNKNOWN_PROPERTY',
    pointTo(path, name),
    `is unknown: no property "${name}" is allowed here.`,
  );
}

/** Only of members that the schema names, none of which a pointer has to escape. */
function splitLast(path: string): [string, string] {
  const end = path.lastIndexOf('/');
  return [path.slice(0, end), path.slice(end + 1)];
}

function limitOf({ limit }: ValidationError['params']): string {
  return String(limit);
}

const ARTICLES: Readonly<Record<string, string>> = { array: 'an', object: 'an', integer: 'an' };

function typesOf(type: unknown): string {
  const types = (Array.isArray(type) ? type : [type]).map(String);
  return types.map((name) => `${ARTICLES[name] ?? 'a'} ${name}`).join(' or ');
}

function listOf(values: unknown): string {
  return (values as readonly unknown[]).map((value) => JSON.stringify(value)).join(', ');
}

/** What the schema of documents says, in parts that can be checked one after the other. */
interface DocumentShapes {
  /** Of a document, whatever its steps are. */
  readonly whole: CompiledSchema;
  /** Of a step at the top level, whatever is in its body. */
  readonly step: CompiledSchema;
  readonly bodyStep: CompiledSchema;
}

type Schema = Readonly<Record<string, unknown>>;

let compiled: DocumentShapes | undefined;

function documentShapes(): DocumentShapes {
  compiled ??= compile();
  return compiled;
}

function compile(): DocumentShapes {
  const schemas = createSchemaValidator();
  const definitions = workflowSchema.$defs as Readonly<Record<string, Schema>>;
  const $defs = {
    ...definitions,
    loopStep: withoutItems(definitions.loopStep, 'body'),
    condition: {},
    criteria: {},
    validationCriteria: {},
  };
  return {
    whole: schemas.compile({ ...withoutItems(workflowSchema, 'steps'), $defs }),
    step: schemas.compile({ $ref: '#/$defs/step', $defs }),
    bodyStep: schemas.compile({ $ref: '#/$defs/plainStep', $defs }),
  };
}

function withoutItems(schema: Schema = {}, name: string): Schema {
  const properties = schema.properties as Readonly<Record<string, Schema>>;
  return { ...schema, properties: { ...properties, [name]: { ...properties[name], items: {} } } };
}
