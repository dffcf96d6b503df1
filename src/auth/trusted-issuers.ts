import { LRUCache } from 'lru-cache';
import { ToolwrightError, type Logger } from '../index.ts';
import { filledText, objectOf, required, safeUrl, texts, type OptionRules } from '../shared/option-rules.ts';
import type { Fetch } from './fetch-json.ts';
import { KeySet, type KeyOptions } from './key-set.ts';

/** An issuer whose tokens are accepted. */
export interface TrustedIssuer {
  /** As it names itself in tokens, letter by letter. */
  readonly issuer: string;
  /** Where its keys are. Default: where its metadata says. */
  readonly jwksUri?: string;
  /** What else its tokens may be issued for, beside the URL of the server. Default: nothing. */
  readonly audiences?: readonly string[];
  /** The tenant that all of its tokens are of. Default: none, or that of the claim. */
  readonly tenant?: string;
}

/** Issuers, in the ways to name them. */
interface NamedIssuers extends Partial<TrustedIssuer> {
  readonly issuers?:
    | readonly TrustedIssuer[]
    | ((issuer: string) => TrustedIssuer | undefined | Promise<TrustedIssuer | undefined>);
  readonly keys?: KeyOptions;
  readonly fetch?: Fetch;
}

const ISSUER_RULES: OptionRules<TrustedIssuer> = {
  issuer: required(safeUrl),
  jwksUri: safeUrl,
  audiences: texts,
  tenant: filledText,
};

export const issuerRule = objectOf(ISSUER_RULES);

/** Of issuers that a function finds, so that a list that changes leaves nothing behind. */
const MOST_SETS = 1000;

/** The issuers whose tokens are accepted, with their keys. An unknown one causes no request. */
export class TrustedIssuers {
  /** Empty where a function knows them. */
  readonly names: readonly string[];
  readonly #find: (issuer: string) => TrustedIssuer | undefined | Promise<TrustedIssuer | undefined>;
  readonly #given: NamedIssuers;
  #listed: readonly TrustedIssuer[] = [];
  readonly #sets = new LRUCache<string, KeySet>({ max: MOST_SETS });

  /** @throws ToolwrightError `TW_APPLICATION_OPTION` */
  constructor(given: NamedIssuers) {
    this.#given = given;
    const { issuers } = given;
    if (typeof issuers === 'function') {
      this.names = [];
      this.#find = issuers;
      return;
    }
    const listed = [...(given.issuer === undefined ? [] : [own(given, given.issuer)]), ...(issuers ?? [])];
    if (listed.length === 0) throw withoutIssuer();
    const known = new Map(listed.map((each) => [each.issuer, each]));
    this.#listed = listed;
    this.names = Object.freeze([...known.keys()]);
    this.#find = (issuer) => known.get(issuer);
  }

  /** Those whose tokens may be of the tenant. */
  namesFor(tenant: string): readonly string[] {
    return this.#listed.flatMap((each) => ((each.tenant ?? tenant) === tenant ? each.issuer : []));
  }

  /** The settings of the issuer that a token names. */
  async find(name: unknown): Promise<TrustedIssuer | undefined> {
    if (typeof name !== 'string') return undefined;
    const found = await this.#find(name);
    return found?.issuer === name ? found : undefined;
  }

  /** Whether nothing has changed in what a function says of an issuer. A list does not change. */
  stillTrusts(known: TrustedIssuer): boolean | Promise<boolean> {
    if (typeof this.#given.issuers !== 'function') return true;
    const found = this.#find(known.issuer);
    const isSame = (now: TrustedIssuer | undefined): boolean => JSON.stringify(now) === JSON.stringify(known);
    return found instanceof Promise ? found.then(isSame) : isSame(found);
  }

  keysOf({ issuer, jwksUri }: TrustedIssuer, logger: Logger): KeySet {
    const key = JSON.stringify([issuer, jwksUri ?? null]);
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    const { fetch, keys } = this.#given;
    const made = new KeySet({ issuer, jwksUri, fetch }, logger, keys);
    this.#sets.set(key, made);
    return made;
  }
}

function own({ jwksUri, audiences, tenant }: NamedIssuers, issuer: string): TrustedIssuer {
  return {
    issuer,
    ...(jwksUri === undefined ? {} : { jwksUri }),
    ...(audiences === undefined ? {} : { audiences }),
    ...(tenant === undefined ? {} : { tenant }),
  };
}

function withoutIssuer(): ToolwrightError {
  return new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'jwt()',
    what: 'has no issuer.',
    fix: "jwt({ issuer: 'https://id.example' }), or issuers with a list of them",
  });
}
