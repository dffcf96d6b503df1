import { Logger } from '../call/logger.ts';
import type { ContextMembers } from '../kernel/call/states.ts';
import { createStates } from '../runtime/feature-states.ts';
import { StoreClock } from '../runtime/store/store-clock.ts';
import { FEATURES } from './features.ts';

class SilentLogger extends Logger {
  log(): void {
    // No application is there to have a log
  }
}

/** What features add to a context where no application is: each has states of its own, in memory. */
export function membersAlone(): ContextMembers {
  const { members = {} } = createStates(FEATURES, {
    ...{ server: 'alone', version: '0', secrets: undefined, logger: new SilentLogger(), options: {} },
    ...{ scanned: undefined, telemetry: undefined, ports: {}, isLazy: true, hidden: [] },
    ...{ storeFor: () => undefined, clock: new StoreClock(undefined), notify: () => undefined },
  });
  return members;
}
