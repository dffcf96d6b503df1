import { readFile } from 'node:fs/promises';
import { ToolwrightError } from '../../errors/toolwright-error.ts';

/** A file of YAML or JSON. @throws ToolwrightError TW_EVALS_CASE */
export async function readYaml(file: string): Promise<unknown> {
  const { parse } = await import('../../shared/yaml.ts');
  try {
    return parse(await readFile(file, 'utf8'), { schema: 'core', customTags: [] }) as unknown;
  } catch (cause) {
    throw new ToolwrightError('TW_EVALS_CASE', {
      where: file,
      what: `cannot be read: ${cause instanceof Error ? (cause.message.split('\n', 1)[0] ?? '') : String(cause)}`,
      fix: 'correct the file, or name another one',
      cause,
    });
  }
}

/** Text of YAML for a person to go on with. */
export async function writeYaml(value: object): Promise<string> {
  const { stringify } = await import('../../shared/yaml.ts');
  return stringify(value);
}
