import type { SkillFrontmatter } from '../features/skills/skill-folder.ts';
import { deepFreeze } from '../shared/deep-freeze.ts';
import { isPlainObject } from '../shared/json.ts';
import { parse } from '../shared/yaml.ts';

const FRONTMATTER = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
/** Lower-case letters and digits, in parts between single hyphens (Agent Skills: name). */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 64;
const MAX_DESCRIPTION_LENGTH = 1024;

/** Reports what is wrong with a skill, as the rest of a sentence that begins with its folder. */
export type SayProblem = (what: string, fix: string) => void;

/** The frontmatter of a `SKILL.md`; undefined where something is wrong with it. @param folder the name of its folder */
export function readFrontmatter(text: string, folder: string, say: SayProblem): SkillFrontmatter | undefined {
  const [, yaml] = FRONTMATTER.exec(text) ?? [];
  if (yaml === undefined) {
    say('has a SKILL.md without frontmatter.', `begin it with ---, name: ${folder}, description: …, ---`);
    return undefined;
  }
  const fields = parseFields(yaml, say);
  if (fields === undefined) return undefined;
  const { name, description } = fields;
  if (name !== folder) {
    say(`has the name ${JSON.stringify(name)} in its frontmatter.`, `name: ${folder}, or rename the folder`);
    return undefined;
  }
  if (!NAME.test(folder) || folder.length > MAX_NAME_LENGTH) {
    say(
      'has a name that no skill may have.',
      `at most ${String(MAX_NAME_LENGTH)} lower-case letters and digits, with single hyphens between them`,
    );
    return undefined;
  }
  if (typeof description !== 'string' || description === '' || description.length > MAX_DESCRIPTION_LENGTH) {
    say(
      'has no description of the length that skills may have.',
      `description: what it does and when to use it, in at most ${String(MAX_DESCRIPTION_LENGTH)} characters`,
    );
    return undefined;
  }
  return deepFreeze({ ...fields, name, description });
}

/** As JSON carries it, because clients compare it with what they read. */
function parseFields(yaml: string, say: SayProblem): Readonly<Record<string, unknown>> | undefined {
  const fix = 'lines such as name: refunds; quote values with a colon or # in them';
  try {
    const fields: unknown = JSON.parse(JSON.stringify(parse(yaml, { logLevel: 'error' })));
    if (isPlainObject(fields)) return fields;
    say('has frontmatter that is not a list of fields.', fix);
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    say(`has frontmatter that is not YAML: ${reason.replace(/[.:]$/, '')}.`, fix);
  }
  return undefined;
}
