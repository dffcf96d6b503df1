import type { ValidationResult } from '../validation/output-validator.ts';
import { type CompiledSchema, type ValidationError, createSchemaValidator } from '../../../formats/index.ts';
import { isPlainObject } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { DOCUMENT_LIMITS } from './workflow-document.ts';
import { workflowSchema } from './workflow-schema.ts';

/** The kinds of faults of a document. */
export type DocumentFaultCode =
  | 'CONTENT_REQUIRED'
  | 'CONTENT_EMPTY'
  | 'INVALID_JSON'
  | 'MISSING_FIELD'
  | 'UNKNOWN_PROPERTY'
  | 'WRONG_TYPE'
  | 'PATTERN_MISMATCH'
  | 'TOO_SHORT'
  | 'TOO_LONG'
  | 'TOO_FEW_ITEMS'
  | 'OUT_OF_RANGE'
  | 'DUPLICATE_ITEM'
  | 'DUPLICATE_STEP_ID'
  | 'INVALID_REFERENCE'
  | 'TOO_LARGE'
  | 'INVALID_CONDITION'
  | 'INVALID_CRITERIA';

/** One fault of a document. */
export interface DocumentFault {
  readonly code: DocumentFaultCode;
  /** An RFC 6901 pointer to the member, even if it is missing or unknown; `""` is the document. */
  readonly path: string;
  /** One sentence. */
  readonly message: string;
}

/** @param what completes a sentence that starts with the name of the place, as in `has to be a string.` */
export function documentFault(code: DocumentFaultCode, path: string, what: string): DocumentFault {
  return { code, path, message: `${path === '' ? 'The document' : `"${path}"`} ${what}` };
}

/** The validation result for the faults of a document. */
export function resultOf(faults: readonly DocumentFault[]): ValidationResult {
  return {
    valid: faults.length === 0,
    issues: faults.map(({ message }) => message),
    suggestions: [...new Set(faults.map(suggestionOf))],
    details: faults.map(({ code, path, message }) => ({ code, path, message })),
  };
}

const ID = 'Write an id with lowercase letters, digits, hyphens only, 3 to 64 of them.';

/** By pointer; the first match wins. */
const OF_PLACES: readonly (readonly [
  path: RegExp,
  suggestion: string,
  codes?: readonly DocumentFaultCode[],
])[] = [
  [/\/id$/, 'Give every step an id of its own.', ['DUPLICATE_STEP_ID']],
  [/\/id$/, ID, ['MISSING_FIELD', 'WRONG_TYPE', 'PATTERN_MISMATCH', 'TOO_SHORT', 'TOO_LONG']],
  [/^\/version$/, 'Write the version as a semantic version in full, such as "1.2.0", without a "v".'],
  [/^\/steps$/, 'Give the workflow at least one step.', ['MISSING_FIELD', 'WRONG_TYPE', 'TOO_FEW_ITEMS']],
  [/^\/steps$/, 'Split the workflow: it can have 500 steps.', ['TOO_LARGE']],
  [
    /^\/steps\/\d+\/body$/,
    'Give the loop at least one step.',
    ['MISSING_FIELD', 'WRONG_TYPE', 'TOO_FEW_ITEMS'],
  ],
  [/^\/steps\/\d+\/type$/, 'Set the type of a step to "loop", or leave it out.', ['UNKNOWN_PROPERTY']],
  [/^\/steps\/\d+\/body\/\d+\/(type|loop|body)$/, 'Take the loop out of the loop.', ['UNKNOWN_PROPERTY']],
];

const OF_CODES: Readonly<Record<DocumentFaultCode, string>> = {
  CONTENT_REQUIRED: 'Give the workflow as JSON text.',
  CONTENT_EMPTY: 'Give the workflow as JSON text: an object with id, name, description, version and steps.',
  INVALID_JSON: 'Correct the JSON: look for missing quotes and brackets, and for commas that are too many.',
  MISSING_FIELD: 'Add what is missing:',
  UNKNOWN_PROPERTY: 'Remove or rename what is not known:',
  WRONG_TYPE: 'Change the type of',
  PATTERN_MISMATCH: 'Change the form of',
  TOO_SHORT: 'Write more in',
  TOO_LONG: 'Shorten',
  TOO_FEW_ITEMS: 'Add an item to',
  OUT_OF_RANGE: 'Choose an allowed value for',
  DUPLICATE_ITEM: 'Remove what is there twice:',
  DUPLICATE_STEP_ID: 'Give every step an id of its own.',
  INVALID_REFERENCE:
    'Name, as the body of a loop, a step at the top level that is not a loop, in one loop only:',
  TOO_LARGE: 'Make the document smaller and flatter.',
  INVALID_CONDITION:
    'Write conditions with var, equals, not_equals, gt, gte, lt, lte, and, or, not, and nothing else:',
  INVALID_CRITERIA:
    'Write criteria as rules of type contains, regex, length or schema, or compose them with one of and, or, not:',
};

function suggestionOf({ code, path }: DocumentFault): string {
  const place = OF_PLACES.find(([pattern, , codes]) => pattern.test(path) && (codes?.includes(code) ?? true));
  if (place !== undefined) return place[1];
  const suggestion = OF_CODES[code];
  return /[a-z:]$/.test(suggestion) ? `${suggestion} "${path}".` : suggestion;
}

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
  // Omitted: it only repeats that a branch failed
  if: () => undefined,
};

/**
 * Checks a document against the document schema, except for conditions and criteria: their own checks report more
 * and handle any depth. It checks step by step, so that it can stop at the maximum number of faults.
 */
export function schemaFaults(document: unknown): readonly DocumentFault[] {
  const { whole, step, bodyStep } = documentShapes();
  const faults = [...faultsAt('', document, whole)];
  for (const { value, path } of itemsAt(document, 'steps', '').slice(0, DOCUMENT_LIMITS.steps)) {
    faults.push(...faultsAt(path, value, step));
    for (const inner of itemsAt(value, 'body', path)) {
      // Further faults are not reported
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

/** Only for members that the schema names; none of them needs escaping in a pointer. */
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

/** The schema of documents, in parts that can be checked separately. */
interface DocumentShapes {
  /** Checks a document without its steps. */
  readonly whole: CompiledSchema;
  /** Checks a top-level step without its body. */
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
