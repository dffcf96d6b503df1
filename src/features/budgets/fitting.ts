import { brandResult, formatData, wireForm } from '../../call/handler-value.ts';
import type { CheckOutcome } from '../../call/issue.ts';
import type { CallToolResult, ContentBlock, ResourceLink } from '../../call/results.ts';
import { ProblemList, type Problem } from '../../errors/problem-list.ts';
import type { WarningCode } from '../../errors/catalogue.ts';
import type { PageOptions } from '../../metadata/options.ts';
import { PAGE_RULES } from '../../metadata/option-rules.ts';
import { propertyRecords } from '../../metadata/copied-properties.ts';
import { classChain } from '../../metadata/records.ts';
import { readOptions } from '../../scanner/check-options.ts';
import type { ScannedAction } from '../../scanner/actions/scan-tools.ts';
import { isClass } from '../../shared/class-type.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { OutputContract } from '../../compile/contracts/contract.ts';
import type { BoundAction } from '../../compile/compile-facet.ts';
import { outcomeTtl } from '../idempotency/index.ts';
import { UNLIMITED, type ScannedBudget } from './budget.ts';

/** How results of an action are made smaller if they exceed its budget. */
export interface Fitting {
  /** Results of at most this length are surely within the budget: characters, as `lengthLeft` counts them. */
  readonly sureLength: number;
  /** Whether an output is declared, which every success has to fit. */
  readonly hasOutput: boolean;
  /** Whether the text of a result is JSON. */
  readonly isJson: boolean;
  /** The fields of the input by which a caller may ask for less. */
  readonly narrowing: readonly string[];
  /** The longest page that fits; undefined where the output has none, or not even its first elements fit. */
  cut(
    result: CallToolResult,
    input: unknown,
    fits: Fits,
    isLocal: boolean,
  ): MaybePromise<CallToolResult | undefined>;
  /** A result with a link in the place of its output; undefined where the output has no room for one. */
  link(link: ResourceLink, content: readonly ContentBlock[]): MaybePromise<CallToolResult | undefined>;
}

type Fits = (result: CallToolResult) => boolean;

/** What the stage of an action knows of its budget. */
export interface FittedBudget extends Fitting {
  readonly budget: ScannedBudget;
  /** Milliseconds that a stored result has to last: as long as the outcome of a call that runs once for its key. */
  readonly ttl: number | undefined;
}

/** The list of an output that may be cut. */
export interface PreparedPage extends PageOptions<never> {
  readonly property: string;
  /** The fewest elements that may be left. */
  readonly least: number;
  /** The members that the output declares: only these are filled in. */
  readonly declared: ReadonlySet<string>;
}

/** The member of an output that takes a link to the whole result. */
const LINK = 'resourceLink';
/** How many fields an error names. */
const MOST_NAMES = 8;

/** Reads the `@Page` of an output class. What can never work is a problem. */
export function preparePage(
  { output }: Pick<ScannedAction, 'output'>,
  contract: OutputContract | undefined,
  problems: ProblemList,
): PreparedPage | undefined {
  const pages = isClass(output)
    ? classChain(output).flatMap((type) => propertyRecords(type, 'page').map((record) => ({ type, record })))
    : [];
  const [page] = pages;
  if (contract === undefined || page === undefined) return undefined;
  const { type, record } = page;
  const property = String(record.property);
  const here = problems.at(`${type.name}.${property}`);
  const { cursor } = readOptions(record.options, PAGE_RULES, '@Page', here);
  const { properties = {} } = contract.schema;
  const list = properties[property];
  if (pages.some(({ record: other }) => other.property !== record.property)) {
    here.add('TW_SHAPE_PAGE', { what: 'is one of two lists with @Page.', fix: 'keep @Page on one of them' });
  }
  if (!isList(list)) {
    here.add('TW_SHAPE_PAGE', {
      what: 'has @Page and is not a list.',
      fix: 'add @IsArray(), or remove @Page()',
    });
  }
  if ('nextCursor' in properties && cursor === undefined) {
    here.add('TW_SHAPE_PAGE', {
      what: 'may be cut, and then nobody knows which `nextCursor` goes on after the last element that is left.',
      why: 'that of the handler would leave out the elements that were cut.',
      fix: '@Page({ cursor: (last) => last.id }), with what the handler takes as a cursor',
    });
  }
  const least = Math.max(1, Number((isPlainObject(list) ? list['minItems'] : undefined) ?? 0));
  return Object.freeze({
    property,
    least,
    declared: new Set(Object.keys(properties)),
    ...(cursor && { cursor }),
  });
}

function isList(schema: unknown): boolean {
  if (!isPlainObject(schema)) return false;
  const { type } = schema;
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}

/** Warns of a budget under which an output has no way out but an error. */
export function budgetWarnings(
  { scanned, output }: BoundAction,
  budget: ScannedBudget | undefined,
  page: PreparedPage | undefined,
): readonly Problem[] {
  if (output === undefined || budget?.isOwn !== true) return [];
  if (page !== undefined || takesLink(output.schema)) return [];
  const warnings = new ProblemList<WarningCode>();
  warnings.at(scanned.where).add('TW_COMPILE_BUDGET_UNMET', {
    what: 'has a budget and an output that cannot be cut, so a result that is too large is an error.',
    fix: `@Page() on a list of the output, or an output that may be { ${LINK} } alone`,
  });
  return warnings.problems;
}

/** Whether an output, or a variant of it, has a member for the link. */
function takesLink(schema: JsonSchema): boolean {
  const {
    properties,
    anyOf = [],
    oneOf = [],
  } = schema as PlainObject & {
    readonly properties?: PlainObject;
    readonly anyOf?: readonly JsonSchema[];
    readonly oneOf?: readonly JsonSchema[];
  };
  return (properties !== undefined && LINK in properties) || [...anyOf, ...oneOf].some(takesLink);
}

/** Compiles how the results of an action are made smaller; undefined where they may have any size. */
export function bindBudget(
  action: BoundAction,
  budget: ScannedBudget | undefined,
  page: PreparedPage | undefined,
): FittedBudget | undefined {
  if (budget === undefined) return undefined;
  const ttl = outcomeTtl(action.scanned.slots);
  return Object.freeze({ ...compileFitting(action, budget, page), budget, ttl });
}

function compileFitting(action: BoundAction, budget: ScannedBudget, page: PreparedPage | undefined): Fitting {
  const { output: contract, contracts, requiredFields } = action;
  const { result: format } = action.scanned;
  const sureLength = sureLengthOf(budget);
  const isJson = format === 'json';
  const narrowing = Object.freeze(
    (contracts.own?.names ?? []).filter((name) => !requiredFields.includes(name)).slice(0, MOST_NAMES),
  );
  if (contract === undefined) return fitWithoutOutput({ sureLength, isJson, narrowing });
  const checked = (value: unknown, make: () => CallToolResult): MaybePromise<CallToolResult | undefined> => {
    const settle = ({ ok }: CheckOutcome): CallToolResult | undefined => (ok ? make() : undefined);
    const outcome = contract.check(value);
    return outcome instanceof Promise ? outcome.then(settle) : settle(outcome);
  };
  const cut: Fitting['cut'] = (result, input, fits, isLocal) => {
    const output = result.structuredContent;
    if (page === undefined || output === undefined) return undefined;
    const form = isLocal ? format : wireForm(format);
    const write = (value: PlainObject): CallToolResult => withOutput(result, value, formatData(value, form));
    const found = longestPage(page, output, input, (value) => fits(write(value)));
    return found && checked(found, () => brandResult(write(found)));
  };
  const link: Fitting['link'] = (made, content) => {
    if (!takesLink(contract.schema)) return undefined;
    const value = { [LINK]: made };
    const structuredContent = contract.isObject ? value : { result: value };
    return checked(value, () => brandResult({ content: [...content, linkBlock(made)], structuredContent }));
  };
  return Object.freeze({ sureLength, hasOutput: true, isJson, narrowing, cut, link });
}

function fitWithoutOutput(shared: Pick<Fitting, 'sureLength' | 'isJson' | 'narrowing'>): Fitting {
  const link: Fitting['link'] = (made, content) => brandResult({ content: [...content, linkBlock(made)] });
  return Object.freeze({ ...shared, hasOutput: false, cut: nothing, link });
}

/** How large a result of a tool is that belongs to no group. */
const MAX_TOOL_RESULT_BYTES = 1024 * 1024;

const TOOL_BUDGET = { ...UNLIMITED, bytes: MAX_TOOL_RESULT_BYTES };

/** Fits results that no author has said anything of. */
export const NO_OWN_BUDGET: FittedBudget = Object.freeze({
  ...fitWithoutOutput({ sureLength: sureLengthOf(TOOL_BUDGET), isJson: false, narrowing: [] }),
  ...{ budget: TOOL_BUDGET, ttl: undefined },
});

/** A character has at most six bytes in JSON, and a token at least one. */
function sureLengthOf(budget: ScannedBudget): number {
  const { bytes, tokens, countTokens } = budget;
  return Math.floor(Math.min(bytes, countTokens === undefined ? 3 * tokens : tokens) / 6);
}

function nothing(): undefined {
  return undefined;
}

function linkBlock(link: ResourceLink): ContentBlock {
  return { type: 'resource_link', ...link };
}

/** The result with another output, and a text that says the same; what is not text stays. */
function withOutput({ content, _meta }: CallToolResult, output: PlainObject, text: string): CallToolResult {
  const others = content.filter(({ type }) => type !== 'text');
  const blocks: readonly ContentBlock[] = [{ type: 'text', text }, ...others];
  return { content: blocks, structuredContent: output, ...(_meta && { _meta }) };
}

/** The output with as many elements as fit, but fewer than all. */
function longestPage(
  page: PreparedPage,
  output: PlainObject,
  input: unknown,
  fits: (output: PlainObject) => boolean,
): PlainObject | undefined {
  const elements = output[page.property];
  if (!Array.isArray(elements)) return undefined;
  const cutAt = (kept: number): PlainObject => cutPage(page, output, input, elements, kept);
  let [most, tooMany] = [page.least - 1, elements.length];
  while (tooMany - most > 1) {
    const kept = (most + tooMany) >> 1;
    if (fits(cutAt(kept))) most = kept;
    else tooMany = kept;
  }
  return most < page.least ? undefined : cutAt(most);
}

function cutPage(
  { property, cursor, declared }: PreparedPage,
  output: PlainObject,
  input: unknown,
  elements: readonly unknown[],
  kept: number,
): PlainObject {
  const cut: Record<string, unknown> = { ...output, [property]: elements.slice(0, kept) };
  if (declared.has('nextCursor') && cursor !== undefined) {
    const next: unknown = cursor(elements[kept - 1] as never, { kept, output, input });
    if (typeof next !== 'string' && typeof next !== 'number') {
      throw new TypeError(`The cursor of @Page on ${property} gives a text or a number`);
    }
    cut['nextCursor'] = next;
  }
  const hasMore = (output['nextCursor'] ?? undefined) !== undefined;
  if (declared.has('total') && !hasMore) cut['total'] ??= elements.length;
  if (declared.has('truncated')) cut['truncated'] = true;
  return cut;
}
