import type { CallExchange } from '../call/call-exchange.ts';
import { describeReceived, type CheckOutcome, type Issue } from '../call/issue.ts';
import { plainData } from '../call/handler-value.ts';
import type { CompiledPrompt } from '../compile/primitives/compile-prompt.ts';
import type { WirePrompt } from '../converters/wire.ts';
import type { ListedPrompt } from '../metadata/options.ts';
import { isPlainObject } from '../shared/json.ts';
import { runPrimitive } from './run-primitive.ts';
import type { ServiceOptions } from './service-options.ts';

/** The prompts that a family stands for, as its list method gives them. */
export async function listFamily(
  prompt: CompiledPrompt,
  exchange: CallExchange,
  options: ServiceOptions,
): Promise<readonly WirePrompt[]> {
  if (prompt.family === undefined) return [];
  const convert = (value: unknown): CheckOutcome<readonly WirePrompt[]> => toWire(prompt, value);
  const call = { kind: 'prompt', name: prompt.name, args: {}, exchange, convert } as const;
  return runPrimitive(prompt.family.list, call, options);
}

function toWire(prompt: CompiledPrompt, given: unknown): CheckOutcome<readonly WirePrompt[]> {
  const value = plainData(given);
  if (!Array.isArray(value)) {
    const message = 'the list method of a family of prompts gives an array of prompts';
    return { ok: false, issues: [{ path: '', message, received: describeReceived(value) }] };
  }
  const items = value as readonly unknown[];
  const issues = items.flatMap((item, index) => issuesOf(item, `list.${String(index)}`, prompt));
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, value: items.map((item) => wirePrompt(prompt, item as ListedPrompt)) };
}

/** A client would refuse the whole list for one faulty entry. */
function issuesOf(item: unknown, path: string, { family }: CompiledPrompt): readonly Issue[] {
  if (!isPlainObject(item)) return [issue(path, 'must be an object with a name', item)];
  const { name } = item;
  const texts = (['title', 'description'] as const)
    .filter((member) => item[member] !== undefined && typeof item[member] !== 'string')
    .map((member) => issue(`${path}.${member}`, 'must be a string', item[member]));
  if (typeof name !== 'string') return [issue(`${path}.name`, 'must be a string', name), ...texts];
  if (family?.template.match(name) !== undefined) return texts;
  return [issue(`${path}.name`, `does not match ${family?.template.text ?? ''}`, name), ...texts];
}

/** A prompt with what it says of itself, and with what its family says where it says nothing. */
function wirePrompt({ definition }: CompiledPrompt, { name, title, description }: ListedPrompt): WirePrompt {
  return {
    ...definition,
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

function issue(path: string, message: string, value: unknown): Issue {
  return { path, message, received: describeReceived(value) };
}
