import type { Problem, ProblemList } from '../errors/problem-list.ts';
import type { ScannedAction } from '../scanner/actions/scan-tools.ts';
import type { OutputContract } from './contracts/contract.ts';
import type { CallNeeds } from '../kernel/call/stage.ts';
import type { InputContracts } from './contracts/input-contracts.ts';
import type { ListedAction } from './tools/compiled-tool.ts';
import type { ReservedArgument } from './tools/reserved-arguments.ts';

/** What is prepared of an action before a feature binds its part. */
export interface BoundAction {
  readonly scanned: ScannedAction;
  readonly contracts: InputContracts;
  readonly output: OutputContract | undefined;
  /** Required fields of its own schema. */
  readonly requiredFields: readonly string[];
}

/** An action that is a tool of its own on every surface. */
export interface ApartAction {
  /** What the `_meta` of that tool says. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Whether models look for it. */
  readonly isForModels: boolean;
}

/** The part of a feature that the compiler asks. Without it, and of prompts and resources, what the scanner kept is bound. */
export interface CompileFacet<Kept = never, Prepared = unknown, Bound = unknown> {
  readonly name: string;
  /** Arguments that belong to the feature. */
  reserved?(kept: Kept): readonly ReservedArgument[];
  /** What the list of actions says of it. */
  listed?(kept: Kept): Partial<ListedAction>;
  /** What makes the action a tool of its own on every surface; one feature says so. */
  apart?(kept: Kept): ApartAction;
  /** How many characters its author allows a result; undefined where the author says nothing of it. */
  resultLength?(kept: Kept): number | undefined;
  /** What its calls need beside the stages of the feature. */
  needs?(kept: Kept): CallNeeds;
  /** What needs no instance. What can never work is a problem. */
  prepareAction?(
    action: Pick<BoundAction, 'scanned' | 'output'>,
    kept: Kept | undefined,
    problems: ProblemList,
  ): Prepared;
  /** What the stages of the feature read, once, when they are compiled. */
  bindAction?(action: BoundAction, kept: Kept | undefined, prepared: Prepared): Bound;
  /** What works, but probably not as its author intended. */
  warningsOf?(action: BoundAction, kept: Kept | undefined, prepared: Prepared): readonly Problem[];
}
