import { soundOptions } from '../errors/option-errors.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import { PROMPT_RULES } from '../metadata/option-rules.ts';
import type { PromptOptions } from '../metadata/options.ts';
import type { NameTemplate } from '../shared/name-template.ts';
import { optionReport } from './check-options.ts';
import { checkSchemas } from './check-schema.ts';
import { declaredMembers, type DeclaredMember } from './declared-members.ts';
import { draftMethod, type Controller, type MethodDraft } from './method-draft.ts';
import { checkName } from './names.ts';
import { readNameTemplate } from './read-name-template.ts';

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
