import type { Call } from '../../kernel/call/call.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import { thenMaybe } from '../../shared/maybe-promise.ts';
import type { Profile } from '../../profiles/profiles.ts';
import type { ResultFit } from '../../profiles/fit-results.ts';

type FindFit = (call: Call) => ResultFit;

interface ClientResultsOptions {
  /** What the application corrects of what is known of clients. */
  readonly corrections: unknown;
  /** Whether the application says how large its results may be. */
  readonly hasBudget: boolean;
}

/** What an application knows of the results of its clients. */
export class ClientResults {
  readonly hasBudget: boolean;
  readonly #corrections: unknown;
  #find: MaybePromise<FindFit> | undefined;

  constructor({ hasBudget, corrections }: ClientResultsOptions) {
    this.hasBudget = hasBudget;
    this.#corrections = corrections;
  }

  /** How results are made for the client of a call. The file of clients is read with the first result that needs it. */
  fitFor(call: Call): MaybePromise<ResultFit> {
    this.#find ??= this.#load();
    return thenMaybe(this.#find, (find) => find(call));
  }

  /**
   * Whether a result of this client is text alone: its tools are listed without what a structure has to fit.
   * @param isJson whether the text of the action is JSON
   */
  isTextFor(call: Call, { isText, reads }: ResultFit, isJson: boolean): boolean {
    return call.isFitted === true && (isText || (reads === 'structure' && !isJson));
  }

  async #load(): Promise<FindFit> {
    const { loadProfiles } = await import('../../profiles/profiles.ts');
    const { fitResults } = await import('../../profiles/fit-results.ts');
    const profiles = await loadProfiles(this.#corrections);
    const known = new WeakMap<Profile, ResultFit>();
    const find: FindFit = (call) => {
      const { name, version } = call.client();
      const profile =
        name === undefined
          ? profiles.profileOfUserAgent(call.header('user-agent'))
          : profiles.profileOf(name, version);
      const fit = known.get(profile) ?? fitResults(profile);
      known.set(profile, fit);
      return fit;
    };
    this.#find = find;
    return find;
  }
}
