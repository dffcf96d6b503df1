import * as clack from '@clack/prompts';
import { resolve } from 'node:path';
import type { Terminal } from '../output/terminal.ts';
import { TEMPLATES, type Template } from './project-files.ts';
import { faultOfFolder } from './project-folder.ts';

const SUGGESTED = 'my-server';

/** Asks for the folder. @returns undefined where the person cancels */
export async function askFolder({ questions }: Terminal): Promise<string | undefined> {
  const given = await clack.text({
    ...questions,
    message: 'In which folder?',
    placeholder: SUGGESTED,
    defaultValue: SUGGESTED,
    validate: (value = '') => refusal(value === '' ? SUGGESTED : value),
  });
  return clack.isCancel(given) ? undefined : given;
}

/** Asks for the kind of project. @returns undefined where the person cancels */
export async function askTemplate({ questions }: Terminal): Promise<Template | undefined> {
  const options = Object.entries(TEMPLATES).map(([value, hint]) => ({
    value: value as Template,
    label: value,
    hint,
  }));
  const chosen = await clack.select({ ...questions, message: 'Which kind of project?', options });
  return clack.isCancel(chosen) ? undefined : chosen;
}

function refusal(folder: string): string | undefined {
  const fault = faultOfFolder(resolve(folder));
  return fault && `${folder} ${fault.what}`;
}
