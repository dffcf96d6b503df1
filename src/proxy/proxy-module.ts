import { refuseOptions } from '../errors/option-errors.ts';
import { ToolwrightError } from '../errors/toolwright-error.ts';
import { PROXY, type ProxyDefinition, type ProxyHost } from '../features/proxy/proxy-definition.ts';
import type { DynamicModule } from '../metadata/module-options.ts';
import { appendRecord } from '../metadata/records.ts';
import { PROXY_RULES, type ProxyOptions } from './options.ts';
import { ProxiedServer } from './proxied-server.ts';

const WHERE = 'ProxyModule.forRoot()';
const PLACES = ['url', 'command', 'client'] as const;

/**
 * Offers the tools, prompts and resources of another MCP server beside those of the application. Both may speak either era of
 * the protocol. Definitions and results pass as they are; progress, questions to the client and cancellations pass in both
 * directions. The server is contacted with the first list, and never gets what identifies a caller, unless `auth` says so.
 *
 * @example
 * import { Module } from 'toolwright';
 * import { ProxyModule } from 'toolwright/proxy';
 *
 * @Module({
 *   imports: [
 *     ProxyModule.forRoot({ name: 'github', url: 'https://mcp.github.example/mcp', exclude: ['delete_*'] }),
 *   ],
 * })
 * class GatewayModule {}
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- modules are classes
export class ProxyModule {
  /** @throws ToolwrightError TW_APPLICATION_OPTION for options that are wrong, and never for a server that is not there */
  static forRoot(options: ProxyOptions): DynamicModule {
    refuseOptions('TW_APPLICATION_OPTION', WHERE, options, PROXY_RULES);
    const given = PLACES.filter((place) => options[place] !== undefined);
    const { name, namespace = name } = options;
    if (given.length !== 1) throw wrongPlace(given);
    if (PROXY_RULES.namespace.faultsOf(namespace, '').length > 0) throw noNamespace(name);
    const useValue: ProxyDefinition = Object.freeze({
      name,
      namespace,
      open: (host: ProxyHost) => new ProxiedServer(options, host),
    });
    return { module: ProxyModule, providers: [{ provide: PROXY, useValue }] };
  }
}

// What @Module() writes; decorators are for users
appendRecord(ProxyModule, { kind: 'module', options: {} });

function wrongPlace(given: readonly string[]): ToolwrightError {
  return new ToolwrightError('TW_APPLICATION_OPTION', {
    where: WHERE,
    what: given.length === 0 ? 'does not say where the server is.' : `has ${given.join(' and ')}.`,
    fix: 'one of url, command and client',
  });
}

function noNamespace(name: string): ToolwrightError {
  return new ToolwrightError('TW_APPLICATION_OPTION', {
    where: WHERE,
    what: `has the name ${JSON.stringify(name)}, which cannot stand before the names of tools.`,
    fix: "a namespace of letters, digits, '_' and '-': { namespace: 'github' }",
  });
}
