import { makeIssue, type CheckedInput, type Issue } from '../../call/issue.ts';
import { thrownMessage, thrownName } from '../../call/thrown-message.ts';
import type { PathSegment } from '../../schema/schema-at.ts';
import { isPlainObject } from '../../shared/json.ts';

/** A conversion or rule of the author threw. @param isBroken whether it throws for a value as well */
export function thrownIssue(
  error: unknown,
  checked: CheckedInput,
  isBroken: (value: object) => boolean,
): Issue {
  const path = findThrowing(checked.input, isBroken);
  const message = `${CONVERSION_FAILED}${sayCause(error)}`;
  // Of the whole value, the type says nothing
  return path.length === 0 ? { path: '', message } : makeIssue(path, message, checked);
}

const CONVERSION_FAILED = 'could not be converted or checked';

/** The message of what {@link thrownIssue} says, without what the error says: it may quote a part of another field. */
export function withoutCause(message: string): string {
  if (!message.startsWith(CONVERSION_FAILED)) return message;
  const [said = ''] = message.split('):', 1);
  return said === message ? message : `${said})`;
}

/** The errors by which the language refuses a value. Others say what their authors think, which is for the log. */
const OF_THE_LANGUAGE: ReadonlySet<unknown> = new Set(['SyntaxError', 'RangeError', 'URIError']);

function sayCause(error: unknown): string {
  const name = thrownName(error);
  if (typeof name !== 'string') return '';
  return OF_THE_LANGUAGE.has(name) ? ` (${name}): ${thrownMessage(error)}` : ` (${name})`;
}

const DEEPEST = 8;
const MAX_NAMES = 64;

/** The one part of a value that is the reason why a step throws; the whole where there is none. */
function findThrowing(whole: unknown, isBroken: (value: object) => boolean): readonly PathSegment[] {
  const path: PathSegment[] = [];
  let value = whole;
  let put = (part: unknown): unknown => part;
  while (path.length < DEEPEST) {
    const [current, putCurrent] = [value, put];
    const key = throwingKey(current, (part) => isBroken(putCurrent(part) as object));
    if (key === undefined) break;
    path.push(key);
    put = (part) => putCurrent(withPart(current as object, key, part));
    value = (current as Record<PathSegment, unknown>)[key];
  }
  return path;
}

function throwingKey(value: unknown, breaks: (part: unknown) => boolean): PathSegment | undefined {
  if (Array.isArray(value)) return throwingItem(value, breaks);
  return isPlainObject(value) ? throwingMember(value, breaks) : undefined;
}

function withPart(outer: object, key: PathSegment, part: unknown): unknown {
  if (Array.isArray(outer)) return outer.with(key as number, part);
  return { ...outer, [key]: part };
}

/** The last item of the shortest beginning of the list that breaks. */
function throwingItem(items: readonly unknown[], breaks: (part: unknown) => boolean): number | undefined {
  if (breaks([])) return undefined;
  let [fine, broken] = [0, items.length];
  while (broken - fine > 1) {
    const middle = (fine + broken) >> 1;
    if (breaks(items.slice(0, middle))) broken = middle;
    else fine = middle;
  }
  return items.length === 0 ? undefined : broken - 1;
}

/** The only member without which nothing breaks: where there are two, the object as a whole breaks. */
function throwingMember(
  value: Readonly<Record<string, unknown>>,
  breaks: (part: unknown) => boolean,
): string | undefined {
  const names = Object.keys(value);
  if (names.length > MAX_NAMES) return undefined;
  const needed = names.filter((name) => {
    const { [name]: _left, ...others } = value;
    return !breaks(others);
  });
  return needed.length === 1 ? needed[0] : undefined;
}
