import type { Logger } from '../../src/call/logger.ts';
import { Attempt } from '../../src/kernel/call/attempt.ts';
import type { Call } from '../../src/kernel/call/call.ts';
import { callOf } from './call-of.ts';
import { MemoryLogger } from './fake-application.ts';

const PLACE = { kind: 'action', tool: 'work', action: 'run', name: 'run' } as const;

interface AttemptOptions {
  readonly call?: Call;
  readonly args?: object;
  readonly context?: unknown;
  readonly logger?: Logger;
}

/** A run of a handler without anything around it: its value is its result. */
export function attemptOf(options: AttemptOptions = {}): Attempt {
  return new BareAttempt(options);
}

class BareAttempt extends Attempt {
  readonly logger: Logger;
  readonly mayHaveEffect = false;

  constructor({ call = callOf(), args = {}, context, logger = new MemoryLogger() }: AttemptOptions) {
    super(call, PLACE, { ...args }, context);
    this.logger = logger;
  }

  convert(value: unknown): unknown {
    return value;
  }

  refuse(): string {
    return 'refused';
  }
}
