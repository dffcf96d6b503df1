import type { ProblemList } from '../errors/problem-list.ts';
import type { PromptOptions } from '../metadata/options.ts';
import { parseNameTemplate, type NameTemplate } from '../shared/name-template.ts';

/** Reads the name of a family of prompts. A family without a list could not be found, so the two go together. */
export function readNameTemplate(
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
