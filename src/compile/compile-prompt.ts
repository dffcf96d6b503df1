import { McpPromptConverter } from '../converters/mcp-prompt-converter.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import { Prompt } from '../model/group.ts';
import { PromptArgument } from '../model/prompt-argument.ts';
import type { ScannedPrompt } from '../scanner/scanned-prompt.ts';
import { deepFreeze } from '../shared/deep-freeze.ts';
import { argumentFields } from './argument-fields.ts';
import { compileCallable } from './compile-callable.ts';
import { compileCompleters, compileList } from './compile-member.ts';
import type { CompiledPrompt } from './compiled-prompt.ts';
import { createContractCache } from './contract-cache.ts';
import { convertTexts } from './convert-text.ts';
import { createInputContracts } from './input-contracts.ts';
import { toPromptResult } from './prompt-output.ts';
import { setModelMembers } from './model/set-model-members.ts';
import type { FieldList } from './strategies/flatten-object-schema.ts';
import { throwProblem, type Report } from './strategies/report.ts';
import { requiredNames } from './strategies/required-fields.ts';

const wire = new McpPromptConverter();

/** Compiles a scanned prompt: its arguments, its chain, and what the list says of it. */
export function compilePrompt(
  prompt: ScannedPrompt,
  resolver: InstanceResolver,
  report: Report = throwProblem,
): CompiledPrompt {
  const { name, group, tags, where } = prompt;
  const contracts = createInputContracts(prompt, [], createContractCache(report));
  const list = argumentFields(contracts, where, report);
  const callable = compileCallable(prompt, { contracts, common: [], discriminator: undefined }, resolver);
  const model = promptModel(prompt, list);
  return Object.freeze({
    ...callable,
    // MCP sends the arguments of prompts as strings (spec: schema, GetPromptRequestParams)
    resolveInput: (args) => callable.resolveInput(convertTexts(args, list.fields)),
    name,
    group,
    tags,
    model,
    definition: deepFreeze(wire.convertFromPrompt(model)),
    completers: compileCompleters(prompt, resolver),
    family: compileFamily(prompt, resolver),
    convert: toPromptResult,
  } satisfies CompiledPrompt);
}

function compileFamily(prompt: ScannedPrompt, resolver: InstanceResolver): CompiledPrompt['family'] {
  const { family } = prompt;
  if (family === undefined) return undefined;
  return Object.freeze({
    template: family.template,
    list: compileList(prompt, family.list, resolver),
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
