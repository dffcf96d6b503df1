import { Buffer } from 'node:buffer';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { describeReceived } from './issue.ts';
import type { ContentAnnotations } from './results.ts';

/** What a content helper throws for an argument that no client could read. */
export function invalidContent(helper: string, what: string, fix: string): ToolwrightError {
  return new ToolwrightError('TW_CONTENT_INVALID', { where: `${helper}()`, what, fix });
}

export function checkString(helper: string, name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw invalidContent(helper, `got ${describeReceived(value)} for ${name}.`, `pass ${name} as a string`);
}

export function checkFilled(helper: string, name: string, value: unknown): string {
  const text = checkString(helper, name, value);
  if (text.trim() !== '') return text;
  throw invalidContent(helper, `got an empty ${name}.`, `pass ${name} as a string that is not empty`);
}

/** A media type needs both of its halves (RFC 6838, section 4.2). */
export function checkMimeType(helper: string, value: unknown): string {
  const text = checkFilled(helper, 'mimeType', value);
  if (/^[^\s/;]+\/[^\s/;]+\s*(;.*)?$/.test(text)) return text;
  throw invalidContent(
    helper,
    `got ${JSON.stringify(text)} for mimeType.`,
    'write type and subtype, such as "image/png"',
  );
}

/** Bytes become base64; a text has to be base64 already. */
export function checkBase64(helper: string, name: string, value: unknown): string {
  if (ArrayBuffer.isView(value)) return toBase64(value);
  const fix = 'pass the bytes as a Uint8Array, or base64 text with padding and without a data: prefix';
  if (typeof value !== 'string') {
    throw invalidContent(helper, `got ${describeReceived(value)} for ${name}.`, fix);
  }
  if (isBase64(value)) return value;
  throw invalidContent(helper, `got a text for ${name} that is not base64.`, fix);
}

/** One member of annotations that clients would refuse, and the whole result with it. */
interface AnnotationProblem {
  readonly name: string;
  readonly value: unknown;
  readonly expected: string;
}

type Member = readonly [isRight: (value: unknown) => boolean, expected: string];

const MEMBERS: ReadonlyMap<string, Member> = new Map([
  ['audience', [isAudience, "['user'], ['assistant'] or both"]],
  ['priority', [isPriority, 'a number from 0 to 1']],
  ['lastModified', [isTimestamp, "a timestamp such as '2025-01-12T15:00:58Z'"]],
]);

const NAMES = [...MEMBERS.keys()].join(', ');

/** The first member of annotations that MCP does not have, or not like that. */
export function annotationProblem(annotations: object): AnnotationProblem | undefined {
  for (const [name, value] of Object.entries(annotations) as [string, unknown][]) {
    const [isRight, expected] = MEMBERS.get(name) ?? [() => false, `one of ${NAMES}`];
    if (value !== undefined && !isRight(value)) return { name, value, expected };
  }
  return undefined;
}

/** What a block carries of its annotations: a checked copy, or nothing. */
export function annotated(
  helper: string,
  annotations: ContentAnnotations | undefined,
): { readonly annotations?: ContentAnnotations } {
  if (annotations === undefined) return {};
  const problem = annotationProblem(annotations);
  if (problem !== undefined) {
    const { name, value, expected } = problem;
    throw invalidContent(
      helper,
      `got ${describeReceived(value)} for annotations.${name}.`,
      `write ${expected}`,
    );
  }
  const { audience, priority, lastModified } = annotations;
  return {
    annotations: {
      ...(audience === undefined ? {} : { audience: [...audience] }),
      ...(priority === undefined ? {} : { priority }),
      ...(lastModified === undefined ? {} : { lastModified }),
    },
  };
}

function isAudience(value: unknown): boolean {
  return Array.isArray(value) && value.every((role) => role === 'user' || role === 'assistant');
}

function isPriority(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function isTimestamp(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
  return form.test(value) && !Number.isNaN(Date.parse(value));
}

/** Bytes as base64 text (RFC 4648, section 4: the standard alphabet, with padding). */
export function toBase64(bytes: ArrayBufferView): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** True for base64 text that every decoder reads; the alphabet for URLs is another one. */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  return !/[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ''));
}
