import type { ServerSurface } from '../server-surface.ts';
import { DirectDispatcher } from './direct-dispatcher.ts';

/** That of the application, or one of its own for a surface that has none. */
export function dispatcherOf({ dispatcher, info, service, logger }: ServerSurface): DirectDispatcher {
  return dispatcher ?? new DirectDispatcher(info, service, logger);
}
