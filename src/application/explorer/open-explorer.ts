import { refuseOptions } from '../../errors/option-errors.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { isPlainObject } from '../../shared/json.ts';
import { either, objectOf, oneOf, trueOrFalse, type OptionRules } from '../../shared/option-rules.ts';
import { environmentVariable } from '../../shared/platform.ts';
import type { BesidePlace, Beside, OpenBeside } from '../../transports/http/beside.ts';
import { currentHost, type ExplorerHost } from '../host.ts';
import type { ExplorerOptions, HttpListenOptions } from '../listen-options.ts';
import type { Explored } from './explored-types.ts';
import { watchService, type SeenMessage } from './watched-service.ts';

/** What the explorer is given to open. */
export interface ExplorerOpening {
  readonly place: BesidePlace;
  readonly isExposed: boolean;
  /** What answers now: another application after each swap. */
  readonly current: () => Promise<Explored>;
  /** Whether `authenticate` of `listen()` says who calls. */
  readonly authenticates: boolean;
  readonly host: ExplorerHost | undefined;
}

/** The explorer, open. */
export interface OpenedExplorer extends Omit<Beside, 'watch'> {
  /** Is called with each request of other clients that was answered. */
  see(seen: SeenMessage): void;
}

type ExplorerOption = Pick<HttpListenOptions, 'explorer'>;

const RULES: OptionRules<ExplorerOption> = {
  explorer: either(
    trueOrFalse,
    oneOf('unsafe-in-production'),
    objectOf<ExplorerOptions>({ exposed: trueOrFalse }),
  ),
};

/** The options of the server alone, which refuses a value that is not an object. */
export function withoutExplorer(given: HttpListenOptions): HttpListenOptions {
  if (!isPlainObject(given)) return given;
  const { explorer: _, ...options } = given;
  return options;
}

/** By its public name, because it stands above the application. A constant, so that bundlers leave it alone. */
const PACKAGE: string = 'toolwright/explorer';

/**
 * What serves the explorer beside an endpoint.
 * @throws ToolwrightError TW_EXPLORER_PRODUCTION
 */
export async function explorerOf(
  options: HttpListenOptions,
  current: ExplorerOpening['current'],
): Promise<OpenBeside | undefined> {
  if (!isPlainObject(options)) return undefined;
  const { explorer: wanted, authenticate }: HttpListenOptions = options;
  if (wanted === undefined || wanted === false) return undefined;
  refuseOptions('TW_SERVER_OPTION', 'listen()', { explorer: wanted }, RULES);
  const host = currentHost();
  const isProduction = environmentVariable('NODE_ENV') === 'production' && host?.isDevelopment !== true;
  if (isProduction && wanted !== 'unsafe-in-production') throw inProduction();
  const isExposed = typeof wanted === 'object' && wanted.exposed === true;
  const { openExplorer } = (await import(PACKAGE)) as {
    readonly openExplorer: (opening: ExplorerOpening) => OpenedExplorer;
  };
  const authenticates = authenticate !== undefined;
  return (place) => {
    const explorer = openExplorer({ place, isExposed, current, authenticates, host: host?.explorer });
    const watch: Beside['watch'] = (service) =>
      watchService(service, (seen) => {
        explorer.see(seen);
      });
    return Object.assign(explorer, { watch });
  };
}

function inProduction(): ToolwrightError {
  return new ToolwrightError('TW_EXPLORER_PRODUCTION', {
    where: 'listen(), option explorer',
    what: 'is set, and NODE_ENV is "production".',
    why: 'its page calls everything that the application offers, as any caller that it makes up.',
    fix: "leave it out in production; explorer: 'unsafe-in-production' opens it all the same",
  });
}
