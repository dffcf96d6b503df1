import { createHash } from 'node:crypto';
import type { Problem } from '../errors/problem-list.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { canonicalJson } from '../shared/canonical-json.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { OpenApiFault } from './openapi-fault.ts';
import type { OfferedDocumentOperation, ReadApi } from './read-api.ts';
import { readAnswerSchema, readInputs } from './read-inputs.ts';

/** What an operation was when somebody selected it: 16 digits of SHA-256 of each part. */
export interface OperationFingerprint {
  /** What it takes, and how that is sent. */
  readonly inputs: string;
  /** What it answers. */
  readonly answer: string;
  /** What it says about itself and its fields. */
  readonly texts: string;
}

/** What operations were, by their keys. */
export type OperationFingerprints = Readonly<Record<string, OperationFingerprint>>;

const PARTS = ['inputs', 'answer', 'texts'] as const;

/** Takes the fingerprint of an operation, settings aside: those are its user's own words. */
function takeFingerprint(root: PlainObject, operation: OfferedDocumentOperation): OperationFingerprint {
  const { inputs, forms } = readInputs(root, operation, { isFull: true });
  const sources = inputs.map(({ source, ...place }) => ({ ...place, source: source as PlainObject }));
  const { value, title, description } = operation;
  const sent = [
    sources.map(withoutTexts),
    [...(forms.parameters ?? [])],
    forms.body,
    value['security'] ?? root['security'],
  ];
  return Object.freeze({
    inputs: shortHash(sent),
    answer: shortHash(withoutTexts(answerIn(root, operation))),
    texts: shortHash([title, description, textsIn(sources)]),
  });
}

/** The fingerprints of operations, by their keys. */
export function takeFingerprints(
  root: PlainObject,
  operations: readonly OfferedDocumentOperation[],
): OperationFingerprints {
  return Object.fromEntries(operations.map((each) => [each.key, takeFingerprint(root, each)]));
}

/** Says which operations are others than they were. One that is there and not offered does not count any more. */
export function findChanges(
  root: PlainObject,
  { all, operations }: Pick<ReadApi, 'all' | 'operations'>,
  known: KnownFingerprints,
  where: string,
): readonly Problem[] {
  const offered = operations.filter(({ key }) => Object.hasOwn(known, key));
  return compareFingerprints(
    known,
    { fingerprints: takeFingerprints(root, offered), operations: all },
    where,
  );
}

/** What operations were, as a file has it. */
export type KnownFingerprints = Readonly<Record<string, Partial<OperationFingerprint>>>;

interface CurrentOperations {
  /** Of those that are offered. */
  readonly fingerprints: OperationFingerprints;
  readonly operations: readonly { readonly key: string }[];
}

/** As {@link findChanges}, where the fingerprints are taken already. */
export function compareFingerprints(
  known: KnownFingerprints,
  { fingerprints, operations }: CurrentOperations,
  where: string,
): readonly Problem[] {
  const keys = new Set(operations.map(({ key }) => key));
  const changes = Object.entries(known).flatMap(([key, before]) => {
    const now = Object.hasOwn(fingerprints, key) ? fingerprints[key] : undefined;
    if (now === undefined) return keys.has(key) ? [] : [`${key} is gone`];
    const parts = PARTS.filter((part) => before[part] !== now[part]);
    return parts.length === 0 ? [] : [`${key} has other ${parts.join(', ')}`];
  });
  if (changes.length === 0) return [];
  return [
    {
      code: 'TW_OPENAPI_CHANGED',
      where,
      what: `was made of another document: ${changes.join('; ')}.`,
      fix: 'look at what changed, then write it again with toolwright import openapi',
    },
  ];
}

/** An answer that cannot be read is one that says nothing. */
function answerIn(root: PlainObject, operation: OfferedDocumentOperation): unknown {
  try {
    return readAnswerSchema(root, operation);
  } catch (fault) {
    if (fault instanceof OpenApiFault || ToolwrightError.is(fault)) return undefined;
    throw fault;
  }
}

/** A part of a document without its descriptions. */
export function withoutTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (!isPlainObject(value)) return value;
  // A property may be called so as well, and is a schema then
  const kept = Object.entries(value).filter(
    ([name, member]) => name !== 'description' || typeof member !== 'string',
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutTexts(member)]));
}

function textsIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    name === 'description' && typeof member === 'string' ? [member] : textsIn(member),
  );
}

function shortHash(value: unknown): string {
  const json = canonicalJson(JSON.parse(JSON.stringify(value ?? null)));
  return createHash('sha256').update(json).digest('hex').slice(0, 16);
}
