import type { RequestContext } from '../call/request-context.ts';
import type { CheckOutcome, Issue } from '../call/issue.ts';
import type { CompiledHandler, HandlerRun } from '../compile/stages/stages.ts';
import type { PlainObject } from '../shared/json.ts';
import { failedPrimitive, invalidArguments, invalidValue, placeOf } from './protocol-failures.ts';
import { runHandler } from '../compile/stages/attempt.ts';
import type { TimedCall } from '../call/time-limit.ts';
import type { ToolContext } from '../call/tool-context.ts';
import { isVisible, type ToolFilter } from '../compile/tools/tool-filter.ts';
import type { RouteOptions } from './route-options.ts';

/** One call of a prompt, of a resource, or of a method that lists or completes. */
interface PrimitiveCall<Result> {
  readonly kind: 'prompt' | 'resource';
  readonly name: string;
  readonly args: PlainObject;
  readonly request: RequestContext & TimedCall;
  /** Converts the handler's value into the result; `ok: false` has the issues of the value. */
  readonly convert: (value: unknown) => CheckOutcome<Result>;
}

/** What the handler gave, or what is wrong with its arguments. */
type Outcome<Result> = CheckOutcome<Result> | { readonly refused: readonly Issue[] };

/** Runs a handler. Every failure rejects with a ProtocolError, because these calls have no error result. */
export async function runPrimitive<Result>(
  handler: CompiledHandler,
  { kind, name, args, request, convert }: PrimitiveCall<Result>,
  options: ServiceOptions,
): Promise<Result> {
  const place = placeOf(kind, name);
  const outcome = await attempt().catch((thrown: unknown) => {
    throw failedPrimitive(thrown, place, request, options);
  });
  if ('refused' in outcome) throw invalidArguments(outcome.refused);
  if (!outcome.ok) throw invalidValue(place, outcome.issues, options);
  return outcome.value;

  async function attempt(): Promise<Outcome<Result>> {
    const context = options.contextOf(request);
    const run: HandlerRun<Outcome<Result>> = {
      place: { kind, tool: undefined, action: undefined, name },
      call: request,
      args,
      context,
      mayHaveEffect: false,
      convert,
      refuse: (refused) => ({ refused }),
    };
    return runHandler(handler, run, options);
  }
}

/** The settings of an application for all its prompts, resources and completions. */
export interface ServiceOptions extends RouteOptions {
  /** Hides items from lists and calls; undefined hides nothing. */
  readonly filter: ToolFilter | undefined;
  /** Makes the context of each call. */
  readonly contextOf: (request: RequestContext) => ToolContext;
}

/** What is made of the visible items of an application. */
type Visible<View> = () => View;

/**
 * The visible items, indexed for look-up: only what is listed can be called. The index is built again only when the
 * source returns another list.
 */
export function visibleItems<Item extends { readonly tags: readonly string[] }, View>(
  source: () => readonly Item[],
  filter: ToolFilter | undefined,
  arrange: (items: readonly Item[]) => View,
): Visible<View> {
  let known: { readonly items: readonly Item[]; readonly view: View } | undefined;
  return () => {
    const items = source();
    if (known?.items !== items) {
      known = { items, view: arrange(items.filter((item) => isVisible(item, filter))) };
    }
    return known.view;
  };
}
