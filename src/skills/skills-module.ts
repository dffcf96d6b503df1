import { fileURLToPath } from 'node:url';
import { refuseOptions } from '../errors/option-errors.ts';
import { SKILL_FOLDER } from '../features/skills/skill-folder.ts';
import type { DynamicModule } from '../metadata/module-options.ts';
import { appendRecord } from '../metadata/records.ts';
import { either, filledText, rule, trueOrFalse, type OptionRules } from '../shared/option-rules.ts';
import { readSkillFolder } from './read-skill-folder.ts';

/** Options of `SkillsModule.forRoot()`. */
export interface SkillsOptions {
  /** The folder whose sub-folders are skills: a path, or the URL of a file. */
  readonly directory: string | URL;
  /** Whether clients may list folders of skills (`resources/directory/read`). Default false. */
  readonly directoryRead?: boolean;
}

const RULES: OptionRules<SkillsOptions> = {
  directory: either(
    filledText,
    rule('the URL of a file', (value) => value instanceof URL && value.protocol === 'file:'),
  ),
  directoryRead: trueOrFalse,
};

/**
 * Serves skills: folders with a `SKILL.md` that tell an agent how to do something (SEP-2640, Agent Skills). The folder is read
 * once; what is wrong with it is part of the one error of a start that fails, as `TW_SCAN_SKILL`. A skill has at most 512
 * files and 16 MiB.
 *
 * @example
 * import { SkillsModule } from 'toolwright/skills';
 *
 * @Module({ imports: [SkillsModule.forRoot({ directory: new URL('skills/', import.meta.url) })] })
 * class DeskModule {}
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- modules are classes
export class SkillsModule {
  /** @throws ToolwrightError TW_APPLICATION_OPTION for options that are wrong, and never for files */
  static forRoot(options: SkillsOptions): DynamicModule {
    refuseOptions('TW_APPLICATION_OPTION', 'SkillsModule.forRoot()', options, RULES);
    const { directory, directoryRead = false } = options;
    const path = typeof directory === 'string' ? directory : fileURLToPath(directory);
    const useValue = Object.freeze({ ...readSkillFolder(path), directoryRead });
    return { module: SkillsModule, providers: [{ provide: SKILL_FOLDER, useValue }] };
  }
}

// What @Module() writes; decorators are for users
appendRecord(SkillsModule, { kind: 'module', options: {} });
