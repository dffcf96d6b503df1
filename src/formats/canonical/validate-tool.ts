import { InvalidToolError } from '../errors/tool-errors.ts';

const LONGEST = 128;
const BAD_CHARACTER = /[^A-Za-z0-9_.-]/gu;

/** What `validateTool` and `lintTool` look at: any form of a tool. */
export interface NamedTool {
  readonly name?: unknown;
  readonly inputSchema?: unknown;
}

/**
 * Checks that something can be a tool at all: it has a name of at most 128 letters, digits, `_`, `.` and `-`, and
 * an input schema. What the schema says is not checked.
 * @throws InvalidToolError `NAME_REQUIRED`, `NAME_TOO_LONG`, `NAME_INVALID_CHARS` or `INPUT_SCHEMA_REQUIRED`, the
 * first that applies
 *
 * @example
 * validateTool({ name: 'read', inputSchema: { type: 'object' } });
 */
export function validateTool(tool: NamedTool): void {
  const { name, inputSchema } = { ...(tool as NamedTool | null | undefined) };
  if (typeof name !== 'string' || name === '') throw new InvalidToolError('NAME_REQUIRED', name);
  if (Array.from(name).length > LONGEST) throw new InvalidToolError('NAME_TOO_LONG', name);
  const bad = [...new Set(name.match(BAD_CHARACTER))];
  if (bad.length > 0) throw new InvalidToolError('NAME_INVALID_CHARS', name, bad);
  if (inputSchema === undefined || inputSchema === null)
    throw new InvalidToolError('INPUT_SCHEMA_REQUIRED', name);
}

/** Something about a tool that is allowed and seldom meant. */
export interface LintWarning {
  readonly code: 'NAME_LEADING_SIGN' | 'NAME_TRAILING_SIGN';
  /** An RFC 6901 pointer into the tool. */
  readonly path: string;
  readonly message: string;
}

/**
 * Reports what is allowed and seldom meant: a name that begins or ends with `-` or `.`.
 *
 * @example
 * lintTool({ name: 'read.' }).map(({ code }) => code); // ['NAME_TRAILING_SIGN']
 */
export function lintTool({ name }: NamedTool): readonly LintWarning[] {
  if (typeof name !== 'string') return [];
  const warnings: LintWarning[] = [];
  if (/^[-.]/.test(name)) {
    warnings.push({
      code: 'NAME_LEADING_SIGN',
      path: '/name',
      message: `the name begins with "${name.charAt(0)}"`,
    });
  }
  if (/[-.]$/.test(name)) {
    warnings.push({
      code: 'NAME_TRAILING_SIGN',
      path: '/name',
      message: `the name ends with "${name.slice(-1)}"`,
    });
  }
  return warnings;
}
