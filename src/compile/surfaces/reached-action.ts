import { ProblemList } from '../../errors/problem-list.ts';
import type { Deprecation } from '../../call/action-options.ts';
import { searchTexts } from '../../schema/search-texts.ts';
import type { ObjectSchema } from '../../shared/json-schema.ts';
import type { WeightedText } from '../../shared/search/word-index.ts';
import { cutAtWord, marksText } from '../tools/describe-signatures.ts';
import { oneLine } from '../tools/describe-tool.ts';
import { joinObjectSchemas } from '../tools/join-schemas.ts';
import type { ListedTool, PreparedTool } from '../tools/prepared-tool.ts';
import { writeSignatures } from '../tools/signature.ts';
import { hasHeader } from './pinned-layout.ts';

/** Characters of a description in a list. */
const MAX_LISTED_LENGTH = 200;
const NOTHING_PUBLISHED: ObjectSchema = Object.freeze({ type: 'object', properties: {}, required: [] });

/** The key of an action in a whole application: below the name of its root group, which has no dots. */
function fullKey(root: string, key: string): string {
  return `${root}.${key}`;
}

/** What calls of an action may do, as its caller sees it: a version that is hidden does not count. */
export interface SeenMarks {
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  readonly deprecated: Deprecation | undefined;
}

/** One version of an action that is found first, and then called by its key. */
export class ReachedAction {
  readonly key: string;
  readonly version: string | undefined;
  /** The names of its groups, joined with dots. */
  readonly group: string;
  readonly description: string;
  readonly schema: ObjectSchema;
  /** The tool that it is called by alone; undefined where its key is enough. */
  readonly onlyTool: string | undefined;
  /** False for one that is for views alone. */
  readonly isForModels: boolean;
  readonly #tool: PreparedTool;
  readonly #action: PreparedTool['actions'][number];
  #signature: string | undefined;

  /** @param listed the tool that is this action by itself */
  constructor(tool: PreparedTool, { definition, actions: [action] }: ListedTool) {
    if (action === undefined) throw new Error(`The tool ${definition.name} has no action`);
    const { scanned } = action;
    this.key = fullKey(tool.scanned.name, scanned.key);
    this.version = scanned.version;
    this.group = scanned.group === undefined ? tool.scanned.name : fullKey(tool.scanned.name, scanned.group);
    this.description = oneLine(scanned.description);
    this.schema = definition.inputSchema;
    this.onlyTool = hasHeader(action) || action.apart !== undefined ? definition.name : undefined;
    this.isForModels = action.apart?.isForModels ?? true;
    this.#tool = tool;
    this.#action = action;
  }

  /** With the types of what it takes, because no list has its schema. */
  get signature(): string {
    if (this.#signature !== undefined) return this.#signature;
    const { common, scanned } = this.#tool;
    const { facts } = this.#action;
    const own = joinObjectSchemas([common, facts.own], scanned.where, new ProblemList())?.schema;
    const alone = { common: undefined, actions: [{ ...facts, key: this.key, own }], where: scanned.where };
    const { actions } = writeSignatures(alone, NOTHING_PUBLISHED);
    return (this.#signature = actions[0] ?? this.key);
  }

  /** What a list says of it. */
  get shortText(): string {
    return cutAtWord(this.description, MAX_LISTED_LENGTH);
  }

  /** Its line in a list. @param isWhole whether all of its description is said */
  line({ isReadOnly, isDestructive, deprecated }: SeenMarks, isWhole = false): string {
    const text = isWhole ? this.description : this.shortText;
    const { isConfirmed } = this.#action.facts;
    const marks = marksText({ isDestructive, isConfirmed, deprecated: this.#keyed(deprecated) });
    const others = [
      isReadOnly ? ' [read-only]' : '',
      this.onlyTool === undefined ? '' : ` [only as the tool ${this.onlyTool}]`,
    ];
    return `${this.signature}${text === '' ? '' : `: ${text}`}${marks}${others.join('')}`;
  }

  /** The replacement by its key, where the caller sees one. */
  #keyed(deprecated: Deprecation | undefined): Deprecation | undefined {
    const { use } = this.#action.scanned.deprecated ?? {};
    if (deprecated?.use === undefined || use === undefined) return deprecated;
    return { ...deprecated, use: fullKey(this.#tool.scanned.name, use) };
  }

  /** The words that it is found by. */
  texts(): readonly WeightedText[] {
    const { title, tags } = this.#action.scanned;
    const { key, description, schema: inputSchema } = this;
    return searchTexts({ key, title, description, tags, inputSchema });
  }
}
