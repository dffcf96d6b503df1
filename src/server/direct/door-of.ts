import type { DirectDoor, ServerSurface } from '../server-surface.ts';
import { DirectDispatcher } from './direct-dispatcher.ts';

/** The way of an application, or one of its own for a surface that has none: its service is counted itself. */
export function doorOf({ direct, info, service }: ServerSurface): DirectDoor {
  return direct ?? { dispatcher: new DirectDispatcher(info, service) };
}
