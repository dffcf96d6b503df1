import { McpPromptConverter } from '../converters/prompt-converter.ts';
import type { WirePrompt } from '../converters/wire.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import { Prompt, PromptArgument } from '../model/group.ts';
import type { ScannedPrompt } from '../scanner/prompts/scan-prompts.ts';
import { deepFreeze } from '../shared/deep-freeze.ts';
import { compileCallable, type Binding } from './compile-callable.ts';
import { compileCompleters, compileList } from './compile-member.ts';
import type { CompiledPrompt } from './compiled-prompt.ts';
import { readTexts } from './convert-text.ts';
import {
  argumentFields,
  createInputContracts,
  type ContractCache,
  type InputContracts,
} from './input-contracts.ts';
import { setModelMembers } from './model/set-model-members.ts';
import { toPromptResult } from './prompt-output.ts';
import { requiredNames, type FieldList } from './strategies/field-list.ts';

/** A prompt for which everything is computed that needs no instance. */
export interface PreparedPrompt {
  readonly scanned: ScannedPrompt;
  readonly contracts: InputContracts;
  /** What its arguments, which come as texts, become. */
  readonly fields: FieldList['fields'];
  readonly model: Prompt;
  /** What prompts/list says of it; deeply frozen. */
  readonly definition: WirePrompt;
}

const wire = new McpPromptConverter();

/** Prepares a scanned prompt: its contracts, its arguments, and what the list says of it. */
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

/** Binds a prepared prompt to its instances. It makes no contract and finds no problem. */
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
    completers: compileCompleters(scanned, binding),
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
    // That is a part of the name already.
    if (name === prompt.family?.template.variable) continue;
    const argument = new PromptArgument(name);
    argument.title = title;
    argument.description = description;
    argument.required = required.has(name);
    model.addPromptArgument(argument);
  }
  return model;
}
