import { randomUUID } from 'node:crypto';
import { ToolError } from '../errors/tool-error.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { Class } from '../shared/class-type.ts';
import type { ObjectSchema } from '../shared/json-schema.ts';
import type { PlainObject } from '../shared/json.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import type { CallExchange } from './call-exchange.ts';
import { requireCapability } from './client-capability.ts';
import type { CheckOutcome, Issue } from './issue.ts';
import { invalidAnswer, requestClient } from './request-client.ts';

/** What the user made of a form: filled in, refused, or closed without a decision. */
export type Answer<T> =
  | { readonly action: 'accept'; readonly content: T }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** Whether the user agreed to open a URL; what happened there, the client does not know. */
export interface UrlAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
}

/** What the content of an answer is described by: a class or a Standard Schema says its type. */
export type AskSchema<T> =
  Class<T> | { readonly '~standard': { readonly types?: { readonly output: T } | undefined } } | SchemaSource;

/** A form and the check of what was filled in, both of one schema. */
export interface AskContract {
  /** As a client may be asked for it (spec: client/elicitation, Requested Schema). */
  readonly schema: ObjectSchema;
  readonly check: (value: PlainObject) => CheckOutcome | Promise<CheckOutcome>;
}

/** Makes the contracts that {@link askForm} asks by. */
export interface AskContracts {
  /** @throws ToolwrightError TW_ASK_SCHEMA for a schema that no form can show. */
  of(schema: SchemaSource): AskContract;
}

/** A form, as it is asked. */
export interface Question {
  readonly schema: SchemaSource;
  readonly message: string;
}

const METHOD = 'elicitation/create';

export async function askForm<T>(
  exchange: CallExchange,
  contracts: AskContracts,
  { schema, message }: Question,
): Promise<Answer<T>> {
  requireCapability(exchange.client(), 'elicitation');
  const contract = contracts.of(schema);
  const params = { mode: 'form', message, requestedSchema: contract.schema };
  const answer = await requestClient(exchange, METHOD, params);
  const action = actionOf(answer);
  if (action !== 'accept') return { action };
  const outcome = await contract.check(contentOf(answer));
  if (!outcome.ok) throw brokenAnswer(message, outcome.issues);
  return { action, content: outcome.value as T };
}

export async function askUrl(exchange: CallExchange, url: string, message: string): Promise<UrlAnswer> {
  requireCapability(exchange.client(), 'elicitation.url');
  if (!URL.canParse(url)) throw notAUrl(url);
  const params = { mode: 'url', message, url, elicitationId: randomUUID() };
  return { action: actionOf(await requestClient(exchange, METHOD, params)) };
}

function actionOf({ action }: PlainObject): UrlAnswer['action'] {
  if (action === 'accept' || action === 'decline' || action === 'cancel') return action;
  throw invalidAnswer(METHOD);
}

/** A form without a field that was filled in may come without content. */
function contentOf({ content = {} }: PlainObject): PlainObject {
  const plain = content ?? {};
  if (typeof plain !== 'object' || Array.isArray(plain)) throw invalidAnswer(METHOD);
  return plain as PlainObject;
}

function brokenAnswer(message: string, issues: readonly Issue[]): ToolError {
  const wrong = issues.map((issue) => `${issue.path === '' ? '(value)' : issue.path}: ${issue.message}`);
  return new ToolError('INVALID_ANSWER', `The answer to "${message}" is wrong: ${wrong.join('; ')}`, {
    details: { issues },
  });
}

function notAUrl(url: string): ToolwrightError {
  return new ToolwrightError('TW_ASK_URL', {
    where: 'askUrl()',
    what: `was given ${JSON.stringify(url)}, which is no absolute URL.`,
    why: 'a client opens it in a browser, and knows no page that it could be relative to.',
    fix: 'write the whole URL: https://example.com/connect',
  });
}
