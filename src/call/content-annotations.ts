import type { Role } from '../model/values.ts';
import { invalidContent } from './check-content.ts';
import { describeReceived } from './issue.ts';

/** For whom a piece of content is, and how much it matters (spec: server/tools, Tool Result). */
export interface ContentAnnotations {
  readonly audience?: readonly Role[];
  /** 0 is entirely optional, 1 is effectively required. */
  readonly priority?: number;
  /** An ISO 8601 timestamp with its offset. */
  readonly lastModified?: string;
}

/** One member of annotations that clients would refuse, and the whole result with it. */
export interface AnnotationProblem {
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
