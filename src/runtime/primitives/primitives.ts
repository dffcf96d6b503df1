import type { RequestContext } from '../../call/request-context.ts';
import type { CheckOutcome, Issue } from '../../call/issue.ts';
import type { CompiledHandler } from '../../kernel/call/stage.ts';
import type { PlainObject } from '../../shared/json.ts';
import { failedPrimitive, invalidArguments, invalidValue, placeOf } from '../failures/protocol-failures.ts';
import { Attempt } from '../../kernel/call/attempt.ts';
import type { Logger } from '../../call/logger.ts';
import type { ToolContext } from '../../call/tool-context.ts';
import { loggerOfCall } from '../logging/log-records.ts';
import type { RouteOptions } from '../routes/route-options.ts';
import { isVisible, type ToolFilter } from '../../compile/tools/tool-filter.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call } from '../../kernel/call/call.ts';
import { withAuthority } from '../requirements/authorize.ts';
import type { Verdicts } from '../requirements/verdicts.ts';
import type { RouteSettings } from '../routes/route.ts';

/** One call of a prompt, of a resource, or of a method that lists or completes. */
interface PrimitiveUse<Result> {
  readonly kind: 'prompt' | 'resource';
  readonly name: string;
  readonly args: PlainObject;
  readonly call: Call;
  /** Converts the handler's value into the result; `ok: false` has the issues of the value. */
  readonly convert: (value: unknown) => CheckOutcome<Result>;
}

/** What the handler gave, or what is wrong with its arguments. */
type Outcome<Result> = CheckOutcome<Result> | { readonly refused: readonly Issue[] };

/** Runs a handler. Every failure rejects with a ProtocolError, because these calls have no error result. */
export async function runPrimitive<Result>(
  handler: CompiledHandler,
  primitive: PrimitiveUse<Result>,
  options: ServiceOptions,
): Promise<Result> {
  const { kind, name, call } = primitive;
  const place = placeOf(kind, name, call);
  const outcome = await attempt().catch((thrown: unknown) => {
    throw failedPrimitive(thrown, place, call, options);
  });
  if ('refused' in outcome) throw invalidArguments(outcome.refused);
  if (!outcome.ok) throw invalidValue(place, outcome.issues, options);
  return outcome.value;

  async function attempt(): Promise<Outcome<Result>> {
    const made = new PrimitiveAttempt(primitive, options);
    return handler.attempt(made) as MaybePromise<Outcome<Result>>;
  }
}

/** One run of a prompt, of a resource, or of a method that lists or completes. */
class PrimitiveAttempt<Result> extends Attempt {
  readonly #convert: PrimitiveUse<Result>['convert'];
  readonly #options: ServiceOptions;

  constructor({ kind, name, args, call, convert }: PrimitiveUse<Result>, options: ServiceOptions) {
    super(call, { kind, tool: undefined, action: undefined, name }, args, options.contextOf(call));
    this.#convert = convert;
    this.#options = options;
  }

  get logger(): Logger {
    return loggerOfCall(this.call, this.#options);
  }

  get mayHaveEffect(): boolean {
    return false;
  }

  convert(value: unknown): Outcome<Result> {
    return this.#convert(value);
  }

  refuse(refused: readonly Issue[]): Outcome<Result> {
    return { refused };
  }
}

/** The settings of an application for all its prompts, resources and completions. */
export interface ServiceOptions extends RouteOptions {
  /** Hides items from lists and calls; undefined hides nothing. */
  readonly filter: ToolFilter | undefined;
  /** Makes the context of each call. */
  readonly contextOf: (request: RequestContext) => ToolContext;
}

/** What is made of the visible items of an application, for callers with these verdicts; undefined for all items. */
type Visible<View> = (verdicts?: Verdicts) => View;

/**
 * The visible items, indexed for look-up: only what is listed can be called. The index is built again only when the
 * source returns another list.
 */
export function visibleItems<Item extends VisibleItem, View extends object>(
  source: () => readonly Item[],
  filter: ToolFilter | undefined,
  arrange: (items: readonly Item[]) => View,
): Visible<View> {
  let known: KnownItems<Item, View> | undefined;
  return (verdicts) => {
    const items = source();
    if (known?.items !== items) {
      const whole = items.filter((item) => isVisible(item, filter));
      known = { items, whole, view: arrange(whole), pruned: new WeakMap() };
    }
    if (verdicts === undefined) return known.view;
    let view = known.pruned.get(verdicts);
    if (view === undefined) {
      view = arrange(known.whole.filter((item) => verdicts.admits(item.requirements)));
      known.pruned.set(verdicts, view);
    }
    return view;
  };
}

interface KnownItems<Item, View extends object> {
  /** As the source gave them. */
  readonly items: readonly Item[];
  /** Those that the filter leaves. */
  readonly whole: readonly Item[];
  readonly view: View;
  /** Kept as long as the verdicts are. */
  readonly pruned: WeakMap<Verdicts, View>;
}

/** What can be hidden: by its tags, or by what it requires of callers. */
interface VisibleItem extends Pick<CompiledHandler, 'requirements'> {
  readonly tags: readonly string[];
}

/** Whether the list method of a template or family runs for the caller, who may see it and still not call it. */
export function mayRun(
  { authority }: Pick<Call, 'authority'>,
  { requirements }: Pick<VisibleItem, 'requirements'>,
): MaybePromise<boolean> {
  return authority?.authorization.meetsAll(requirements, authority) ?? true;
}

/** What a caller may see; undefined for everything. */
export function verdictsOf(call: Call, { authorization }: RouteSettings): MaybePromise<Verdicts | undefined> {
  if (!authorization.isNeeded) return undefined;
  return withAuthority(call, authorization, ({ verdicts }) => verdicts);
}
