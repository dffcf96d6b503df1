import type { Logger } from '../../call/logger.ts';
import type { ChangeNotice } from '../../call/notifier.ts';
import type { RemoteServer } from '../../runtime/runtime-facet.ts';
import type { ScannedApplication } from '../../scanner/scan-application.ts';
import type { Secrets } from '../../shared/sealed-text.ts';

/** What a proxied server gets of the application that offers it. */
export interface ProxyHost {
  /** The name and version of the application. */
  readonly server: string;
  readonly version: string;
  readonly secrets: Secrets | undefined;
  readonly logger: Logger;
  readonly notify: (change: ChangeNotice) => void;
}

/** Another server, while an application offers what it has. */
export interface OpenedProxy extends RemoteServer {
  close(): Promise<void>;
}

/** Another server, as a module of `toolwright/proxy` describes it. */
export interface ProxyDefinition {
  readonly name: string;
  /** What stands before its names; empty where they stay as they are. */
  readonly namespace: string;
  /** Contacts nobody. */
  open(host: ProxyHost): OpenedProxy;
}

/** The token of proxied servers; the same in two copies of the package. */
export const PROXY = Symbol.for('toolwright:proxy');

/** The proxied servers that the modules of an application provide. */
export function findProxies({
  providers,
}: Pick<ScannedApplication, 'providers'>): readonly ProxyDefinition[] {
  return providers.flatMap(({ token, recipe }) =>
    token === PROXY && recipe.kind === 'value' ? [recipe.value as ProxyDefinition] : [],
  );
}
