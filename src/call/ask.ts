import { randomUUID } from 'node:crypto';
import { ToolError } from '../errors/tool-error.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { Class } from '../shared/class-type.ts';
import type { ObjectSchema } from '../shared/json-schema.ts';
import { describeValue } from '../shared/describe-value.ts';
import { hasMoreValues, isObject, type PlainObject } from '../shared/json.ts';
import { checkedLater, required, rule, text, type OptionRules } from '../shared/option-rules.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import type { RequestContext, NamedQuestion } from './request-context.ts';
import { boundIssues } from './bounded-issues.ts';
import type { CheckOutcome, Issue } from './issue.ts';
import { invalidAnswer, named, requestClient, requireCapability } from './request-client.ts';

/** What the user made of a form: filled in, refused, or closed without a decision. */
export type Answer<T> =
  | { readonly action: 'accept'; readonly content: T }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** Whether the user agreed to open a URL; what happened there, the client does not know. */
export interface UrlAnswer {
  /** Whether the user agreed to open the URL, said no, or closed the question. */
  readonly action: 'accept' | 'decline' | 'cancel';
}

/** What the content of an answer is described by: a class or a Standard Schema says its type. */
export type AskSchema<T> =
  | Class<T>
  | { readonly '~standard': { readonly types?: { readonly output: T } | undefined } }
  | SchemaSource;

/** A form and the check of what was filled in, both of one schema. */
export interface AskContract {
  /** As a client may be asked for it (spec: client/elicitation, Requested Schema). */
  readonly schema: ObjectSchema;
  readonly check: (value: PlainObject) => CheckOutcome | Promise<CheckOutcome>;
  /** The sensitive values in what was filled in; absent where no field is sensitive. */
  readonly valuesIn?: ((value: PlainObject) => readonly string[] | undefined) | undefined;
}

/** Makes the contracts that {@link askForm} asks by. */
export interface AskContracts {
  /** @throws ToolwrightError TW_ASK_SCHEMA for a schema that no form can show. */
  of(schema: SchemaSource): AskContract;
}

/** A form, as it is asked. */
interface FormQuestion extends NamedQuestion {
  readonly schema: SchemaSource;
  readonly message: string;
}

/** A page that the user is asked to open. */
interface UrlQuestion extends NamedQuestion {
  readonly url: string;
  readonly message: string;
  /** Whether the page was used; a client that calls again with its answer is asked again otherwise. Default: it was. */
  readonly accepts?: () => Promise<boolean>;
}

/** An answer as the handler gets it, or the error that it gets instead. */
type ReadAnswer<T> =
  | { readonly ok: true; readonly value: Answer<T> }
  | { readonly ok: false; readonly error: ToolError };

const METHOD = 'elicitation/create';

/** People answer with far less; forms that are filled in are looked at value by value. */
export const MAX_ANSWERED_VALUES = 10_000;

const schemaRule = rule('a DTO class or a schema', (value) => isObject(value) || typeof value === 'function');
const FORM_RULES: OptionRules<Pick<FormQuestion, 'schema' | 'message'>> = {
  schema: required(schemaRule),
  message: required(text),
};
const URL_RULES: OptionRules<Pick<UrlQuestion, 'url' | 'message'>> = {
  url: checkedLater,
  message: required(text),
};

export async function askForm<T>(
  request: RequestContext,
  contracts: AskContracts,
  { schema, message, ...options }: FormQuestion,
): Promise<Answer<T>> {
  refuseOptions('TW_CONTEXT_VALUE', 'ask()', { schema, message }, FORM_RULES);
  requireCapability(request.client(), 'elicitation');
  const contract = contracts.of(schema);
  const params = { mode: 'form', message, requestedSchema: contract.schema };
  const read = (answer: PlainObject): Promise<ReadAnswer<T>> => readForm(contract, message, answer);
  const accepts = async (answer: PlainObject): Promise<boolean> => (await read(answer)).ok;
  const given = await requestClient(request, METHOD, params, { ...named(options), accepts });
  if (contract.valuesIn !== undefined) request.hide?.(contract.valuesIn(contentOf(given) ?? {}));
  const answer = await read(given);
  if (!answer.ok) throw answer.error;
  return answer.value;
}

export async function askUrl(
  request: RequestContext,
  { url, message, accepts: isUsed = async () => true, ...options }: UrlQuestion,
): Promise<UrlAnswer> {
  refuseOptions('TW_CONTEXT_VALUE', 'askUrl()', { url, message }, URL_RULES);
  requireCapability(request.client(), 'elicitation.url');
  if (typeof url !== 'string' || !URL.canParse(url)) throw notAUrl(url);
  // An id of its own went with the requests that it was for (spec 2026-07-28: changelog).
  const id = request.retry === undefined ? { elicitationId: randomUUID() } : {};
  const params = { mode: 'url', message, url, ...id };
  const accepts = async (answer: PlainObject): Promise<boolean> => {
    const action = actionOf(answer);
    return action === 'accept' ? isUsed() : action !== undefined;
  };
  const action = actionOf(await requestClient(request, METHOD, params, { ...named(options), accepts }));
  if (action === undefined) throw invalidAnswer(METHOD);
  return { action };
}

async function readForm<T>(
  contract: AskContract,
  message: string,
  answer: PlainObject,
): Promise<ReadAnswer<T>> {
  const action = actionOf(answer);
  const content = contentOf(answer);
  if (action === undefined || content === undefined) return { ok: false, error: invalidAnswer(METHOD) };
  if (action !== 'accept') return { ok: true, value: { action } };
  if (hasMoreValues(content, MAX_ANSWERED_VALUES))
    return { ok: false, error: brokenAnswer(message, [TOO_MANY_VALUES]) };
  const outcome = await contract.check(content);
  if (!outcome.ok) return { ok: false, error: brokenAnswer(message, outcome.issues) };
  return { ok: true, value: { action, content: outcome.value as T } };
}

const TOO_MANY_VALUES: Issue = {
  path: '',
  message: `has more than ${String(MAX_ANSWERED_VALUES)} values`,
};

function actionOf({ action }: PlainObject): UrlAnswer['action'] | undefined {
  return action === 'accept' || action === 'decline' || action === 'cancel' ? action : undefined;
}

/** A form without a field that was filled in may come without content. */
function contentOf({ content }: PlainObject): PlainObject | undefined {
  const plain = content ?? {};
  return typeof plain === 'object' && !Array.isArray(plain) ? (plain as PlainObject) : undefined;
}

function brokenAnswer(message: string, found: readonly Issue[]): ToolError {
  const issues = boundIssues(found);
  const wrong = issues.map((issue) => `${issue.path === '' ? '(value)' : issue.path}: ${issue.message}`);
  return new ToolError('INVALID_ANSWER', `The answer to "${message}" is wrong: ${wrong.join('; ')}`, {
    details: { issues },
  });
}

function notAUrl(url: unknown): ToolwrightError {
  return new ToolwrightError('TW_ASK_URL', {
    where: 'askUrl()',
    what: `was given ${describeValue(url)}, which is not the text of an absolute URL.`,
    why: 'a client opens it in a browser, and knows no page that it could be relative to.',
    fix: 'write the whole URL: https://example.com/connect',
  });
}

/** A place that the client lets the server work in (spec: client/roots, Root). */
export interface Root {
  /** Begins with `file://`. */
  readonly uri: string;
  /** The name that the client shows for it. */
  readonly name?: string;
}

export async function listRoots(
  request: RequestContext,
  options: NamedQuestion = {},
): Promise<readonly Root[]> {
  requireCapability(request.client(), 'roots');
  const accepts = (answer: PlainObject): boolean => rootsOf(answer) !== undefined;
  const answer = await requestClient(request, 'roots/list', {}, { ...named(options), accepts });
  const roots = rootsOf(answer);
  if (roots === undefined) throw invalidAnswer('roots/list');
  return roots;
}

function rootsOf({ roots }: PlainObject): readonly Root[] | undefined {
  return Array.isArray(roots) && roots.every(isRoot) ? roots : undefined;
}

function isRoot(value: unknown): value is Root {
  return typeof value === 'object' && value !== null && 'uri' in value && typeof value.uri === 'string';
}
