import { refuseOptions } from '../errors/option-errors.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import type { Logger } from '../call/logger.ts';
import type { QueueWork } from '../runtime/runtime-facet.ts';
import type { RegisteredTools } from '../registry/tool-registry.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import { listOf, filledText, wholeNumber, type OptionRules } from '../shared/option-rules.ts';
import type { Serving } from '../transports/serving.ts';
import type { SignalOptions } from './listen-options.ts';

/** Options of `app.work()`. */
export interface WorkingOptions extends SignalOptions {
  /** The names of queues that actions of the application have. Default: all of them. */
  readonly queues?: readonly string[];
  /** How many tasks of each queue run here at the same time. Default 10. */
  readonly concurrency?: number;
}

/** Work on queues that goes on until it is closed. */
export interface Working extends Serving {
  /** The names of the queues. */
  readonly queues: readonly string[];
}

const WORKING_RULES: OptionRules<Omit<WorkingOptions, 'signals'>> = {
  queues: listOf(filledText, 'a list of names of queues'),
  concurrency: wholeNumber(1),
};

/** Where an application works on queues. */
export interface WorkPlace {
  readonly registry: RegisteredTools;
  readonly work: QueueWork | undefined;
  readonly serve: Parameters<QueueWork['work']>[0];
  readonly logger: Logger;
}

/** @throws ToolwrightError TW_APPLICATION_OPTION */
export async function workOn(
  { registry, work, serve, logger }: WorkPlace,
  options: Omit<WorkingOptions, 'signals'>,
): Promise<Working> {
  refuseOptions('TW_APPLICATION_OPTION', 'work()', options, WORKING_RULES);
  const actions = registry.getAllTools().flatMap(({ name }) => registry.getActionMetadata(name));
  const known = new Set(actions.flatMap(({ queue }) => queue ?? []));
  const { queues = [...known], concurrency = 10 } = options;
  for (const name of queues) if (!known.has(name)) throw unknownQueue(name, known);
  if (work?.isShared !== true) {
    const message =
      'work() has nothing to do: without a backplane, and without `tasks.queues`, calls run where they arrive.';
    logger.log({ level: 'warning', event: 'task.no-queues', message });
  }
  const worker = await work?.work(serve, { queues, concurrency });
  let end = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  const stop = async (): Promise<void> => worker?.stop();
  return {
    queues: Object.freeze([...queues]),
    closed,
    stop,
    close: () => stop().finally(end),
    notify: () => undefined,
  };
}

function unknownQueue(name: string, known: ReadonlySet<string>): ToolwrightError {
  return new ToolwrightError('TW_APPLICATION_OPTION', {
    where: 'work()',
    what: `was given the queue "${name}", which no action has.`,
    why: 'a worker runs the actions of its application, and would wait for tasks that nobody makes.',
    fix:
      didYouMean(name, known) ??
      `@Action({ task: { queue: '${name}' } }), or leave \`queues\` out for all that there are`,
  });
}
