import { quoteText, unknownField, firstIssues, describeReceived, type Issue } from '../../call/issue.ts';
import { brandResult } from '../../call/handler-value.ts';
import { failureResult } from '../../call/result-helpers.ts';
import type { CallToolResult } from '../../call/results.ts';
import { FIND_ACTIONS, FOUND_COUNT, MAX_FOUND_COUNT } from '../../compile/surfaces/finding-tools.ts';
import type { ReachedAction, SeenMarks } from '../../compile/surfaces/reached-action.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { IndexView } from '../../shared/search/word-index.ts';
import { validationMessage } from '../failures/failure-facts.ts';
import type { ActionIndex } from './action-index.ts';
import { writeOverview, type GroupCount } from './group-overview.ts';

/** An action as the callers of a view see it. */
export interface SeenAction extends SeenMarks {
  /** Its place in the index. */
  readonly place: number;
  readonly reached: ReachedAction;
}

/** What a call of find_actions asks for. */
interface Wanted {
  readonly query: string;
  readonly group: string | undefined;
  readonly key: string | undefined;
  readonly limit: number;
  readonly schema: boolean;
}

/** Keys that are near to one that there is not. */
const NEAREST_COUNT = 3;

/** Answers find_actions in one view. What the view has not leaves no trace in what is found, and how well. */
export class ActionFinder {
  readonly #index: ActionIndex;
  readonly #seen: readonly SeenAction[];
  readonly #byPlace: ReadonlyMap<number, SeenAction>;
  readonly #view: IndexView;

  constructor(index: ActionIndex, seen: readonly SeenAction[]) {
    this.#index = index;
    this.#seen = seen;
    this.#byPlace = new Map(seen.map((each) => [each.place, each]));
    this.#view = index.words.view(this.#byPlace.keys());
  }

  find(args: PlainObject): CallToolResult {
    const issues = firstIssues(faultsIn(args));
    if (issues.length > 0) {
      const message = validationMessage(issues);
      return failureResult({ code: 'VALIDATION_FAILED', message, tool: FIND_ACTIONS, issues });
    }
    const wanted = readWanted(args);
    if (wanted.key !== undefined) return this.#showOne(wanted.key, wanted.schema);
    if (wanted.query === '' && wanted.group === undefined) return this.#showGroups('');
    const found = (wanted.query === '' ? this.#seen : this.#search(wanted.query)).filter(
      ({ reached }) => wanted.group === undefined || isInGroup(reached, wanted.group),
    );
    return found.length === 0 ? this.#showGroups('No action fits.\n') : showActions(found, wanted);
  }

  /** The keys of the actions that are most like one that there is not. */
  nearest(key: string): readonly string[] {
    return this.#search(key)
      .slice(0, NEAREST_COUNT)
      .map(({ reached }) => reached.key);
  }

  #search(query: string): readonly SeenAction[] {
    return this.#index.words
      .search(query, this.#view)
      .flatMap(({ document }) => this.#byPlace.get(document) ?? []);
  }

  #showOne(key: string, withSchema: boolean): CallToolResult {
    const found = this.#seen.find(({ reached }) => reached.key === key);
    if (found !== undefined) return showActions([found], { limit: 1, schema: withSchema }, true);
    const nearest = this.nearest(key);
    const message = `Unknown action ${quoteText(key)}`;
    return failureResult({
      code: 'UNKNOWN_ACTION',
      message,
      headline: nearest.length === 0 ? message : `${message}. Did you mean ${nearest.join(', ')}?`,
      tool: FIND_ACTIONS,
      suggestion: nearest[0],
    });
  }

  #showGroups(before: string): CallToolResult {
    const counts = new Map<string, number>();
    for (const { reached } of this.#seen) counts.set(reached.group, (counts.get(reached.group) ?? 0) + 1);
    const groups = [...counts].map(([path, count]): GroupCount => ({ path, count }));
    const { text, structured } = writeOverview(groups, (path) => this.#index.describeGroup(path));
    return brandResult({
      content: [{ type: 'text', text: `${before}${text}` }],
      structuredContent: structured,
    });
  }
}

function isInGroup({ group }: ReachedAction, wanted: string): boolean {
  return group === wanted || group.startsWith(`${wanted}.`);
}

/** The first of them, one line each. */
function showActions(
  found: readonly SeenAction[],
  { limit, schema: withSchema }: Pick<Wanted, 'limit' | 'schema'>,
  isWhole = false,
): CallToolResult {
  const shown = found.slice(0, limit);
  const lines = shown.flatMap((seen) => [
    seen.reached.line(seen, isWhole),
    ...(withSchema ? [JSON.stringify(seen.reached.schema)] : []),
  ]);
  const more = found.length - shown.length;
  if (more > 0)
    lines.push(`${String(more)} more ${more === 1 ? 'matches' : 'match'}; narrow the query or raise limit.`);
  const actions = shown.map(({ reached, isReadOnly: readOnly, isDestructive: destructive }) => {
    const { key, signature, description } = reached;
    const schema = withSchema ? { schema: reached.schema } : {};
    return {
      key,
      signature,
      description: isWhole ? description : reached.shortText,
      readOnly,
      destructive,
      ...schema,
    };
  });
  return brandResult({
    content: [{ type: 'text', text: lines.join('\n') }],
    structuredContent: { actions, total: found.length },
  });
}

const FIELDS: Readonly<
  Record<keyof Wanted, readonly [isValid: (value: unknown) => boolean, expected: string]>
> = {
  query: [isText, 'a string'],
  group: [isText, 'a string'],
  key: [isText, 'a string'],
  limit: [isLimit, `an integer from 1 to ${String(MAX_FOUND_COUNT)}`],
  schema: [(value) => typeof value === 'boolean', 'true or false'],
};

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isLimit(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_FOUND_COUNT;
}

function* faultsIn(args: PlainObject): Iterable<Issue> {
  const names = Object.keys(FIELDS);
  for (const path in args) {
    const value = args[path];
    if (!names.includes(path)) {
      yield unknownField(path, path, value, names);
      continue;
    }
    const [isValid, expected] = FIELDS[path as keyof Wanted];
    if (value === null || isValid(value)) continue;
    yield { path, message: `must be ${expected}`, expected, received: describeReceived(value) };
  }
}

function readWanted(args: PlainObject): Wanted {
  const textIn = (name: 'query' | 'group' | 'key'): string => ((args[name] ?? '') as string).trim();
  const [group, key] = [textIn('group'), textIn('key')];
  return {
    query: textIn('query'),
    group: group === '' ? undefined : group,
    key: key === '' ? undefined : key,
    limit: (args['limit'] ?? FOUND_COUNT) as number,
    schema: args['schema'] === true,
  };
}
