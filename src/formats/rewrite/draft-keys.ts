import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { safeName, type NameRule } from '../../shared/name-rule.ts';
import { safeKeys } from '../names/safe-keys.ts';

/** The property keys of one node as its target allows them. */
export class DraftKeys {
  readonly #rule: NameRule | undefined;
  readonly #own: ReadonlyMap<string, string>;

  /** @param rule undefined where every key is allowed */
  constructor({ properties }: PlainObject, rule: NameRule | undefined) {
    this.#rule = rule;
    this.#own =
      rule === undefined || !isPlainObject(properties) ? new Map() : safeKeys(Object.keys(properties), rule);
  }

  /** The emitted form of a key; one that the node does not declare follows the same rule. */
  of(key: string): string {
    if (this.#rule === undefined) return key;
    return this.#own.get(key) ?? safeName(key, this.#rule, key);
  }
}
