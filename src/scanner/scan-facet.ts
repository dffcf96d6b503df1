import type { Mark } from '../metadata/records.ts';
import type { OptionRule } from '../shared/option-rules.ts';

/** A decorator of a feature, for methods, or for all of a class and of the groups below it. */
export interface DecoratorRule {
  readonly name: `@${string}`;
  /** What its options may be; faults are reported where the use stands. */
  readonly rule: OptionRule;
  /** It takes one value, and no object of options. */
  readonly isValue?: true;
  /** Why a method without @Action cannot have it. Without it, prompts and resources have it, too. */
  readonly whyOnly?: string;
  /** It is a mark as well, and marks say by themselves where they belong. */
  readonly isMark?: true;
  /** Whether it may stand several times at one place. Default false. */
  readonly repeats?: boolean;
}

/** One sound use of a decorator. */
export interface Use<Said> {
  readonly decorator: string;
  /** Where it stands: a name that is unique in the application, and the same in each of its processes. */
  readonly place: string;
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
   * @param uses the nearest first: of the method, of its class, then of the groups above. One that is found in two ways,
   * because a group extends a group above it, is there twice, and the same object
   * @param around what counts where nothing is said
   * @param marks those that the action has, after its own word and that of what it overrides
   */
  readAction?(
    uses: readonly Use<Said>[],
    around: Kept | undefined,
    marks: ReadonlySet<Mark>,
  ): Kept | undefined;
  /** What is kept of a prompt or resource. */
  readOffer?(uses: readonly Use<Said>[], around: Kept | undefined): Kept | undefined;
  /** How what is kept bounds how many calls there are, in words for people. */
  boundsIn?(kept: Kept): readonly string[];
  /** How what is kept ends calls, in words for people. */
  endsIn?(kept: Kept): readonly string[];
}
