import { readFileSync } from 'node:fs';
import {
  sayFault,
  checkOptions,
  countOrInfinity,
  listOf,
  filledText,
  oneOf,
  required,
  rule,
  type OptionRules,
} from '../shared/option-rules.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { isPlainObject, parseJson } from '../shared/json.ts';
import { CURATION_RULES, type CurationOptions } from './curation.ts';
import type { OperationSettings } from './settings.ts';

/** The document of a selection. */
export interface SelectedDocument {
  /** The file or the URL that it was. */
  readonly source: string;
  /** Key → part → hash. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A selection in a file, `toolwright.api.json`: what a plan has written, and people edit. */
export interface CurationFile {
  readonly version: 1;
  /** The document that it was made of, where it is one. */
  readonly document?: SelectedDocument;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly maxActions?: number;
  readonly actions?: Readonly<Record<string, OperationSettings>>;
}

const RULES: OptionRules<CurationFile> = {
  version: required({
    ...oneOf('1'),
    allowed: '1',
    faultsOf: (value, path) => oneOf('1').faultsOf(value === 1 ? '1' : value, path),
  }),
  document: rule(
    'an object with a source and operations',
    (value) =>
      isPlainObject(value) &&
      typeof value['source'] === 'string' &&
      isPlainObject(value['operations']) &&
      Object.values(value['operations']).every(isPlainObject),
  ),
  include: listOf(filledText, 'a list of patterns'),
  exclude: listOf(filledText, 'a list of patterns'),
  maxActions: countOrInfinity,
  actions: CURATION_RULES.actions,
};

/**
 * Reads a selection.
 * @throws ToolwrightError TW_OPERATIONS_FILE for a file that is missing, or is none
 */
export function readCurationFile(path: string): CurationFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ToolwrightError('TW_OPERATIONS_FILE', {
      where: path,
      what: 'cannot be read.',
      fix: 'write it with toolwright import nest server.ts --write, or import openapi; or correct the path: it counts from the current folder',
      cause,
    });
  }
  const value = parseJson(text);
  if (!isPlainObject(value)) {
    const what = 'is not an object in JSON.';
    throw new ToolwrightError('TW_OPERATIONS_FILE', {
      where: path,
      what,
      fix: '{ "version": 1, "include": ["tasks.*"] }',
    });
  }
  const [fault] = checkOptions(value, RULES);
  if (fault !== undefined)
    throw new ToolwrightError('TW_OPERATIONS_FILE', { where: path, ...sayFault(fault) });
  return value as unknown as CurationFile;
}

/** Options with those of the file that they name; what options say counts more than the file. */
export function withCurationFile<Options extends CurationOptions>({
  curation,
  ...options
}: Options): Omit<Options, 'curation'> {
  if (curation === undefined) return options;
  const {
    version: _version,
    document: _document,
    actions: own = {},
    ...selection
  } = readCurationFile(curation);
  const { actions = {} } = options;
  const patterns = [...new Set([...Object.keys(own), ...Object.keys(actions)])];
  const merged = patterns.map((pattern) => [pattern, { ...own[pattern], ...actions[pattern] }]);
  return {
    ...selection,
    ...options,
    actions: Object.fromEntries(merged) as NonNullable<CurationOptions['actions']>,
  };
}
