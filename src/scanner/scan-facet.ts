import type { OptionRule } from '../shared/option-rules.ts';

/** A decorator of a feature, for actions, or for all of a class and of the groups below it. */
export interface DecoratorRule {
  readonly name: `@${string}`;
  /** What its options may be; faults are reported where the use stands. */
  readonly rule: OptionRule;
  /** Why a method without @Action cannot have it; undefined where a mark that it writes as well says it. */
  readonly whyOnly: string | undefined;
  /** Whether it may stand twice at one place; the lower one counts. Default: it is a problem. */
  readonly repeats?: true;
}

/** One sound use of a decorator. */
export interface Use<Said> {
  readonly decorator: string;
  readonly options: Said;
  /** It stands on the method itself, on one that this overrides, or on a class or group. */
  readonly on: 'method' | 'overridden' | 'around';
}

/** The part of a feature that the scanner asks. */
export interface ScanFacet<Said = never, Kept = unknown> {
  /** The key of its records, slots and states. */
  readonly name: string;
  readonly decorators: readonly DecoratorRule[];
  /**
   * What is kept of an action; undefined where the feature has nothing to do with it.
   * @param uses the nearest first: of the method, of its class, then of the groups above
   * @param around what counts where nothing is said
   */
  readAction?(uses: readonly Use<Said>[], around: Kept | undefined): Kept | undefined;
}
