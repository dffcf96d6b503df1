export { ProxyModule } from './proxy-module.ts';
export type { ProxiedClient, ProxiedRequest, ProxyAuth, ProxyCommand, ProxyOptions } from './options.ts';
