import type { StateKey } from '../../call/tool-context.ts';
import { entriesIn } from '../../runtime/store/owned-entries.ts';
import { feature } from '../feature.ts';
import { CALLER_STATE, CallerStates } from './caller-states.ts';

/** `ctx.state()`: values that the application keeps for each caller, from call to call. */
export const callerState = feature({
  name: 'state',
  decorators: [],
  madeOf: ['name', 'secrets'],
  state: ({ server, secrets, logger, storeFor }) =>
    new CallerStates({ store: storeFor(CALLER_STATE), server, secrets, logger }),
  members: (states) => ({ state: (request) => (key: StateKey<unknown>) => states.open(request, key) }),
  stores: (states) => ({ [CALLER_STATE]: [entriesIn(states?.store, CALLER_STATE)] }),
});
