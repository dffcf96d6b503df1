import { soundOptions } from '../../errors/option-errors.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import { PROMPT_RULES } from '../../metadata/option-rules.ts';
import type { PromptOptions } from '../../metadata/options.ts';
import { parseNameTemplate, type NameTemplate } from '../../shared/name-template.ts';
import { optionReport, checkSchemas } from '../check-options.ts';
import { checkName } from '../groups/names.ts';
import {
  declaredMembers,
  draftMethod,
  type DeclaredMember,
  type Controller,
  type MethodDraft,
} from '../members/declared-members.ts';

/** A prompt as its class declares it. */
export interface PromptDraft extends MethodDraft {
  readonly name: string;
  /** Set for a family of prompts. */
  readonly template: NameTemplate | undefined;
  readonly options: PromptOptions;
}

/** The prompts of a class in source order, those of its base classes first. */
export function readPrompts(controller: Controller, problems: ProblemList): readonly PromptDraft[] {
  return declaredMembers(controller.type, 'prompt').map((found) => readPrompt(controller, found, problems));
}

function readPrompt(
  controller: Controller,
  { owner, member, record }: DeclaredMember<'prompt'>,
  problems: ProblemList,
): PromptDraft {
  const method = draftMethod(controller, { owner, member });
  const { where } = method;
  const report = optionReport({ where, of: '@Prompt' });
  const options = soundOptions(record.options, PROMPT_RULES, report, problems);
  checkSchemas(options, ['input'], where, problems);
  const name = options.name ?? (typeof member === 'string' ? member : '');
  checkName(name, 'prompt', where, problems);
  const template = readNameTemplate(name, options, where, problems);
  return { decorator: '@Prompt', remaining: 'input', name, template, options, ...method };
}

/** Reads the name of a family of prompts. A family without a list could not be found, so the two go together. */
function readNameTemplate(
  name: unknown,
  { list }: PromptOptions,
  where: string,
  problems: ProblemList,
): NameTemplate | undefined {
  const hasVariables = typeof name === 'string' && /[{}]/.test(name);
  const template = hasVariables ? parseNameTemplate(name) : undefined;
  const fault = faultOf(hasVariables, template !== undefined, list !== undefined);
  if (fault !== undefined) {
    problems.add('TW_SCAN_PROMPT_FAMILY', { where, ...fault });
    return undefined;
  }
  return template;
}

function faultOf(
  hasVariables: boolean,
  isTemplate: boolean,
  hasList: boolean,
): { readonly what: string; readonly fix: string } | undefined {
  if (hasVariables && !isTemplate) {
    return {
      what: 'has a name that is not one variable with text around it.',
      fix: "write it like name: 'review_{language}'",
    };
  }
  if (isTemplate && !hasList) {
    return {
      what: 'is a family of prompts, but nothing says which there are.',
      fix: "@Prompt({ name: '…', list: 'method' }), a method that gives [{ name, description }]",
    };
  }
  if (!isTemplate && hasList) {
    return {
      what: 'sets list, which counts on a family of prompts only.',
      fix: "remove list, or give it a name with a variable: name: 'review_{language}'",
    };
  }
  return undefined;
}
