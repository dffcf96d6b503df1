import type { Buffer } from 'node:buffer';
import type { Problem } from '../../errors/problem-list.ts';
import type { ScannedApplication } from '../../scanner/scan-application.ts';

/** A file of a skill, with its content as it was when the folder was read. */
export interface SkillFile {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly content: Buffer;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
}

/** What `SKILL.md` says at its beginning, with every field that its author wrote. */
export interface SkillFrontmatter {
  readonly name: string;
  readonly description: string;
  readonly [field: string]: unknown;
}

/** A skill with all of its files, those of skills inside it included. */
export interface SkillDefinition {
  /** The URI of its `SKILL.md`. */
  readonly uri: string;
  /** Where messages look for it: its folder, as seen from the folder of skills. */
  readonly where: string;
  readonly frontmatter: SkillFrontmatter;
  readonly files: readonly SkillFile[];
}

/** A folder of skills, and what is wrong with it. */
export interface SkillFolder {
  readonly skills: readonly SkillDefinition[];
  readonly problems: readonly Problem[];
  readonly directoryRead: boolean;
}

/** The token of folders of skills; the same in two copies of the package. */
export const SKILL_FOLDER = Symbol.for('toolwright:skill-folder');

/** The folders of skills that the modules of an application provide. */
export function findSkillFolders({
  providers,
}: Pick<ScannedApplication, 'providers'>): readonly SkillFolder[] {
  return providers.flatMap(({ token, recipe }) =>
    token === SKILL_FOLDER && recipe.kind === 'value' ? [recipe.value as SkillFolder] : [],
  );
}
