import { isContentBlock, isHelperBlock, isHelperResult, plainData } from '../../call/handler-value.ts';
import { describeReceived, type CheckOutcome } from '../../call/issue.ts';
import type { ContentBlock, GetPromptResult, PromptMessage } from '../../call/results.ts';
import { McpPromptConverter } from '../../converters/mcp-converters.ts';
import type { WirePrompt } from '../../converters/wire.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import { Prompt, PromptArgument } from '../../model/group.ts';
import type { ScannedPrompt } from '../../scanner/prompts/scan-prompts.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import { isPlainObject } from '../../shared/json.ts';
import type { NameTemplate } from '../../shared/names.ts';
import {
  argumentFields,
  createInputContracts,
  type ContractCache,
  type InputContracts,
} from '../contracts/input-contracts.ts';
import { requiredNames, type FieldList } from '../fields/field-list.ts';
import { compileCallable, type Binding } from '../stages/compile-callable.ts';
import { compileCompleters, compileList, type Completers } from '../stages/compile-members.ts';
import type { CompiledHandler } from '../../kernel/call/stage.ts';
import { readTexts } from './convert-text.ts';
import { setModelMembers } from '../set-model-members.ts';

/** A prompt with everything computed that needs no instances. */
export interface PreparedPrompt {
  readonly scanned: ScannedPrompt;
  readonly contracts: InputContracts;
  /** The schemas that its arguments, which arrive as strings, are converted to. */
  readonly fields: FieldList['fields'];
  readonly model: Prompt;
  /** Its entry in prompts/list; deeply frozen. */
  readonly definition: WirePrompt;
}

/** A prompt that is ready to serve. Frozen; its arguments may come as strings. */
export interface CompiledPrompt extends CompiledHandler {
  readonly name: string;
  /** The name of the group that it belongs to. */
  readonly group: string | undefined;
  readonly tags: readonly string[];
  readonly model: Prompt;
  /** Its entry in prompts/list; deeply frozen. */
  readonly definition: WirePrompt;
  readonly completers: Completers;
  /** Set for a family of prompts, which `definition` describes as a whole. */
  readonly family: PromptFamily | undefined;
  /** Converts a handler's value to messages; `ok: false` for a value that cannot be converted. */
  readonly convert: (value: unknown) => CheckOutcome<GetPromptResult>;
}

/** How the prompts of a family are named, and the method that lists them. */
interface PromptFamily {
  readonly template: NameTemplate;
  readonly list: CompiledHandler;
}

const wire = new McpPromptConverter();

/** Prepares a scanned prompt: its contracts, its arguments and its list entry. */
export function preparePrompt(
  scanned: ScannedPrompt,
  cache: ContractCache,
  problems: ProblemList,
): PreparedPrompt {
  const contracts = createInputContracts(scanned, [], cache);
  const list = argumentFields(contracts, scanned.where, problems);
  const model = promptModel(scanned, list);
  const definition = deepFreeze(wire.convertFromPrompt(model));
  return Object.freeze({ scanned, contracts, fields: list.fields, model, definition });
}

/** Binds a prepared prompt to its instances. It creates no contracts and reports no problems. */
export function bindPrompt(
  { scanned, contracts, fields, model, definition }: PreparedPrompt,
  binding: Binding,
): CompiledPrompt {
  const { name, group, tags } = scanned;
  // MCP sends the arguments of prompts as strings (spec: schema, GetPromptRequestParams)
  const read = readTexts(fields);
  const parts = { contracts, common: [], discriminator: undefined, read };
  return Object.freeze({
    ...compileCallable(scanned, parts, binding),
    name,
    group,
    tags,
    model,
    definition,
    completers: compileCompleters(scanned, contracts, binding),
    family: compileFamily(scanned, binding),
    convert: toPromptResult,
  } satisfies CompiledPrompt);
}

function compileFamily(prompt: ScannedPrompt, binding: Binding): CompiledPrompt['family'] {
  const { family } = prompt;
  if (family === undefined) return undefined;
  return Object.freeze({
    template: family.template,
    list: compileList(prompt, family.list, binding),
  });
}

function promptModel(prompt: ScannedPrompt, list: FieldList): Prompt {
  const model = new Prompt(prompt.name);
  setModelMembers(model, prompt);
  const required = new Set(requiredNames(list));
  for (const [name, { title, description }] of list.fields) {
    // The variable is part of the name already.
    if (name === prompt.family?.template.variable) continue;
    const argument = new PromptArgument(name);
    argument.title = title;
    argument.description = description;
    argument.required = required.has(name);
    model.addPromptArgument(argument);
  }
  return model;
}

const ACCEPTED =
  'a prompt gives a string, content (text(), image(), …), messages (userMessage(), assistantMessage()), ' +
  'a list of these, or { messages }';

const RESULT_KEYS: ReadonlySet<string> = new Set(['description', 'messages', '_meta']);

/** Converts the value of a prompt's handler to messages. */
function toPromptResult(value: unknown): CheckOutcome<GetPromptResult> {
  const messages = isPromptResult(value) ? undefined : messagesOf(value);
  // Comes before the error below, because a promise that was not awaited has an error of its own
  const data = plainData(messages === undefined ? value : { messages });
  if (messages !== undefined || isPromptResult(data)) return { ok: true, value: data as GetPromptResult };
  return { ok: false, issues: [{ path: '', message: ACCEPTED, received: describeReceived(value) }] };
}

function messagesOf(value: unknown): readonly PromptMessage[] | undefined {
  if (isHelperResult(value)) return value.isError === true ? undefined : value.content.map(fromUser);
  if (!Array.isArray(value)) {
    const message = messageOf(value);
    return message && [message];
  }
  // userMessage([…]) returns a list, which may stand among other messages
  const messages = (value as readonly unknown[]).flat().map(messageOf);
  return messages.every((message) => message !== undefined) ? messages : undefined;
}

function messageOf(value: unknown): PromptMessage | undefined {
  if (typeof value === 'string') return fromUser({ type: 'text', text: value });
  if (isHelperBlock(value)) return fromUser(value);
  return isMessage(value) ? value : undefined;
}

function fromUser(content: ContentBlock): PromptMessage {
  return { role: 'user', content };
}

/** True for exactly a message of the wire format (spec: server/prompts, PromptMessage). */
function isMessage(value: unknown): value is PromptMessage {
  if (!isPlainObject(value) || !Object.keys(value).every((key) => key === 'role' || key === 'content'))
    return false;
  return (value['role'] === 'user' || value['role'] === 'assistant') && isContentBlock(value['content']);
}

function isPromptResult(value: unknown): value is GetPromptResult {
  if (!isPlainObject(value) || !Object.keys(value).every((key) => RESULT_KEYS.has(key))) return false;
  const { description, messages, _meta: meta } = value;
  return (
    Array.isArray(messages) &&
    messages.every(isMessage) &&
    (description === undefined || typeof description === 'string') &&
    (meta === undefined || isPlainObject(meta))
  );
}
