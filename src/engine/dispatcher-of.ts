import type { ServerSurface } from './server-surface.ts';
import { Dispatcher } from './dispatcher.ts';

/** That of the application, or one of its own for a surface that has none. */
export function dispatcherOf({ dispatcher, info, service, logger }: ServerSurface): Dispatcher {
  return dispatcher ?? new Dispatcher(info, service, logger);
}
