import type { ProblemList } from '../../errors/problem-list.ts';
import type { ScannedApplication } from '../../scanner/scan-application.ts';
import { feature } from '../feature.ts';
import type {} from './call-fields.ts';
import { findProxies } from './proxy-definition.ts';

/** Tools, prompts and resources of other MCP servers: `ProxyModule` of `toolwright/proxy`. */
export const proxyFeature = feature({
  name: 'proxy',
  decorators: [],
  check: checkNames,

  wanted: ({ scanned }) => scanned !== undefined && findProxies(scanned).length > 0,
  state: ({ scanned, server, version, secrets, logger, notify }) =>
    findProxies(scanned ?? { providers: [] }).map((proxy) =>
      proxy.open({ server, version, secrets, logger, notify }),
    ),
  offers: (proxies) => (proxies === undefined ? [] : ['tools', 'prompts', 'resources', 'completions']),
  remote: (proxies) => proxies ?? [],
  close: async (proxies) => {
    await Promise.all((proxies ?? []).map((proxy) => proxy.close()));
  },
});

/** Two servers with one name or namespace: a call could not say which of them it means. */
function checkNames(scanned: ScannedApplication, _options: object, problems: ProblemList): void {
  const seen = new Set<string>();
  for (const { name, namespace } of findProxies(scanned)) {
    const taken = seen.has(`name ${name}`)
      ? `the name "${name}"`
      : namespace !== '' && seen.has(`namespace ${namespace}`) && `the namespace "${namespace}"`;
    if (taken !== false)
      problems.at(`ProxyModule "${name}"`).add('TW_PROXY_NAME_TAKEN', {
        what: `has ${taken}, which another ProxyModule has already.`,
        why: 'a call could not say which of them it means.',
        fix: 'another name and namespace for one of them',
      });
    seen.add(`name ${name}`).add(`namespace ${namespace}`);
  }
}
