import type { MiddlewareFunction, MiddlewareObject } from '../../call/middleware.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import type { MiddlewareRecord } from '../../metadata/records.ts';
import { isClass, type Class } from '../../shared/class-type.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { reportUndefined } from '../check-options.ts';
import type { ModuleNode } from '../modules/scan-modules.ts';
import { findProvider, type TokenSpace } from '../providers/token-lookup.ts';
import type { ScannedMiddleware } from './scanned-callable.ts';

/** The place where middleware is declared, and the module in which its classes are looked up. */
interface MiddlewarePlace {
  readonly where: string;
  readonly home: ModuleNode;
}

/** The entries of @Middleware records, outermost first: decorators evaluate bottom-up, and the upper is outer. */
export function outermostFirst(records: readonly MiddlewareRecord[]): readonly unknown[] {
  return [...records].reverse().flatMap((record) => record.middleware);
}

/** Converts all accepted forms of middleware to one form, in the same order. */
export function scanMiddleware(
  entries: readonly unknown[],
  at: MiddlewarePlace,
  space: TokenSpace,
  problems: ProblemList,
): readonly ScannedMiddleware[] {
  return entries.flatMap((entry) => scanEntry(entry, at, space, problems));
}

function scanEntry(
  entry: unknown,
  at: MiddlewarePlace,
  space: TokenSpace,
  problems: ProblemList,
): readonly ScannedMiddleware[] {
  if (entry === undefined) {
    const fix = 'break the import circle, or move the middleware to a file of its own';
    reportUndefined('a middleware', fix, problems.at(at.where));
    return [];
  }
  if (isMiddlewareClass(entry)) {
    const request = { token: entry, ...at, unknownCode: 'TW_SCAN_MIDDLEWARE_UNKNOWN' } as const;
    const draft = findProvider(request, space, problems);
    return draft === undefined ? [] : [Object.freeze({ kind: 'provider', key: draft.key })];
  }
  const run = functionOf(entry);
  if (run !== undefined) return [Object.freeze({ kind: 'function', run })];
  problems.at(at.where).add('TW_SCAN_MIDDLEWARE_INVALID', {
    what: `uses ${describeValue(entry)} as middleware, which has no use(call, next).`,
    fix: isClass(entry)
      ? `add use(call, next) to ${entry.name}`
      : 'write a function (call, next) => next(), or a class with use(call, next)',
  });
  return [];
}

function isMiddlewareClass(entry: unknown): entry is Class<MiddlewareObject> {
  return isClass(entry) && typeof (entry.prototype as { use?: unknown }).use === 'function';
}

function functionOf(entry: unknown): MiddlewareFunction<never> | undefined {
  // A `function` has a prototype like a class, but a class cannot be called.
  const isClassSyntax =
    typeof entry === 'function' && /^class\b/.test(Function.prototype.toString.call(entry));
  if (typeof entry === 'function' && !isClassSyntax) return entry as MiddlewareFunction<never>;
  if (typeof entry !== 'object' || entry === null) return undefined;
  const use: unknown = (entry as { readonly use?: unknown }).use;
  return typeof use === 'function' ? (use.bind(entry) as MiddlewareFunction<never>) : undefined;
}
