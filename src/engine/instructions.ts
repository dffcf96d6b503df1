import type { AuthInfo } from '../call/request-context.ts';
import type { ClientClaim } from '../compile/surfaces/surface.ts';
import type { McpService } from '../runtime/service.ts';
import { catchMaybe, thenMaybe, type MaybePromise } from '../shared/maybe-promise.ts';
import { summarizeTools } from '../shared/tool-summary.ts';
import type { ServerInfo } from './server-info.ts';

/** Who asks how to use the server. */
interface Asking {
  readonly authInfo?: AuthInfo | undefined;
  readonly isLocal?: boolean;
  /** The surface that was chosen. */
  readonly surface?: string | undefined;
}

/**
 * The instructions for a caller: those of the author, else a summary of the tools that this caller sees. They never
 * fail: what is asked for with them is whether the server can be used at all.
 */
export function instructionsFor(
  info: ServerInfo,
  { tools, settings }: McpService,
  { authInfo, isLocal = false, surface }: Asking,
  client: () => ClientClaim,
): MaybePromise<string | undefined> {
  const { instructions } = info;
  if (instructions === false) return undefined;
  if (instructions !== undefined || tools === undefined) return instructions;
  const local = isLocal && authInfo === undefined ? settings.auth?.local.caller() : undefined;
  return catchMaybe(
    () =>
      thenMaybe(local, (caller) => {
        if (caller === 'unverified') return undefined;
        return thenMaybe(tools.listTo(authInfo ?? caller, isLocal, { chosen: surface, client }), (list) =>
          summarizeTools(info, list),
        );
      }),
    () => undefined,
  );
}
